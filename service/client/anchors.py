"""The client's calls about the log of heads (see `client`): checkpoints, proofs, keys."""

from __future__ import annotations

from kifu.v1 import anchor_service_pb2 as pb

from domain.record.proof.anchors import checkpoints, notes
from domain.record.proof.anchors.checkpoints import AnchorProof
from domain.record.proof.anchors.notes import Note
from service.client.connection import Connection


class Anchors(Connection):
    """Calls about the log; what they answer is not believed before it was checked (`findings`)."""

    def checkpoint(self, *, cosigned: bool = False) -> Note:
        """The newest checkpoint, or the newest that enough witnesses have signed."""
        request = pb.GetCheckpointRequest(cosigned=cosigned)
        return notes.parse(self.call(self.anchors.GetCheckpoint, request).note)

    def inclusion(
        self, match: str, count: int | None = None, *, cosigned: bool = False
    ) -> AnchorProof:
        """The proof that a match is in the log, with at most so many entries."""
        request = pb.GetInclusionRequest(match_id=match, count=count, cosigned=cosigned)
        return checkpoints.parse(self.call(self.anchors.GetInclusion, request).proof)

    def consistency(self, old_size: int) -> tuple[list[bytes], Note]:
        """The proof from so many leaves to the newest checkpoint, and that checkpoint."""
        request = pb.GetConsistencyRequest(old_size=old_size)
        found = self.call(self.anchors.GetConsistency, request)
        return list(found.hashes), notes.parse(found.note)

    def log_keys(self) -> pb.GetLogKeysResponse:
        """The keys that sign checkpoints, or did."""
        response: pb.GetLogKeysResponse = self.call(self.anchors.GetLogKeys, pb.GetLogKeysRequest())
        return response
