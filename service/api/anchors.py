"""The servicer of the log (anchor_service.proto).

Checkpoints, keys and hashes are for anybody. A leaf names a match and how many entries it has: only
viewers of the match may read it, with their delay.
"""

from __future__ import annotations

from grpc import StatusCode
from kifu.v1 import anchor_service_pb2 as pb

from domain.record.proof.anchors.policy import Policy, judge
from domain.words.phrases import phrase
from service.anchors.ledger import Ledger, Signed
from service.api.calls.errors import Fault, malformed
from service.api.matches import MatchServicer
from service.identity import Identity

#: Checkpoints that are looked through for the newest that enough witnesses have signed.
LOOKED_THROUGH = 500
#: The calls that need no token.
FOR_ANYBODY = frozenset(("GetCheckpoint", "GetConsistency", "GetLogKeys"))


class AnchorServicer:
    """Answers `kifu.v1.AnchorService`."""

    def __init__(self, ledger: Ledger, policy: Policy, matches: MatchServicer) -> None:
        """`policy` says how many witnesses are enough."""
        self._ledger, self._policy, self._matches = ledger, policy, matches

    def get_checkpoint(
        self, request: pb.GetCheckpointRequest, who: Identity | None
    ) -> pb.GetCheckpointResponse:
        found = self._newest(request.cosigned)
        size = found.checkpoint.size
        response = pb.GetCheckpointResponse(note=str(found.note), size=size)
        response.create_time.FromMilliseconds(found.time)
        return response

    def get_inclusion(
        self, request: pb.GetInclusionRequest, who: Identity
    ) -> pb.GetInclusionResponse:
        upto = self._matches.visible(who, request.match_id)
        if request.HasField("count"):
            if request.count < 1:
                raise malformed("count", "must be positive")
            upto = min(upto, request.count)
        over = self._newest(request.cosigned)
        found = self._ledger.leaf(request.match_id, upto, over.checkpoint.size)
        if found is None:
            text = phrase("No checkpoint covers this match yet.")
            raise Fault(StatusCode.NOT_FOUND, "ANCHOR_UNKNOWN", text)
        index, leaf = found
        proof = self._ledger.proof(index, over)
        return pb.GetInclusionResponse(
            proof=str(proof), leaf=proof.leaf, index=index, count=leaf.count
        )

    def get_consistency(
        self, request: pb.GetConsistencyRequest, who: Identity | None
    ) -> pb.GetConsistencyResponse:
        newest = self._newest()
        size = newest.checkpoint.size
        if not 0 <= request.old_size <= size:
            text = phrase("The log has {size} leaves.", size=size)
            raise Fault(StatusCode.FAILED_PRECONDITION, "LOG_SMALLER", text, size=size)
        hashes = self._ledger.consistency(request.old_size, newest)
        return pb.GetConsistencyResponse(hashes=hashes, note=str(newest.note))

    def get_log_keys(
        self, request: pb.GetLogKeysRequest, who: Identity | None
    ) -> pb.GetLogKeysResponse:
        response = pb.GetLogKeysResponse()
        if (now := self._ledger.key) is not None:
            response.origin = now.name
        for one in self._ledger.known_keys():
            response.origin = response.origin or one.key.name
            key = response.keys.add(key=str(one.key), size=one.size, endorsed=one.endorsed)
            key.create_time.FromMilliseconds(one.time)
        if now is not None and str(now.verifier) not in (key.key for key in response.keys):
            response.keys.add(key=str(now.verifier), size=self._ledger.tree.size)
        return response

    def _newest(self, cosigned: bool = False) -> Signed:
        """The newest checkpoint, or the newest that enough witnesses have signed."""
        for found in self._ledger.newest_first(LOOKED_THROUGH if cosigned else 1):
            seen = judge(found.note, self._policy).seen if cosigned else {}
            if not cosigned or self._policy.enough(seen):
                return found
        text = phrase("There is no such checkpoint yet.")
        raise Fault(StatusCode.NOT_FOUND, "CHECKPOINT_UNKNOWN", text)
