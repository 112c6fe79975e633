"""Faults in Connect's form: the code, text and details of the gRPC call."""

from __future__ import annotations

from connectrpc.code import Code
from connectrpc.errors import ConnectError, ErrorDetail
from google.protobuf import any_pb2
from google.protobuf.message_factory import GetMessageClass
from google.rpc import error_details_pb2
from grpc import StatusCode
from protobuf import Message, message_from_json_value
from protobuf.wkt import Any, Struct

from domain.words.tables import Language
from service.api.calls.errors import Fault
from service.web.connect.coding import as_data

_CODES: dict[StatusCode, Code] = {
    code: Code.CANCELED if code is StatusCode.CANCELLED else Code[code.name]
    for code in StatusCode
    if code is not StatusCode.OK
}
_STATUSES = {code: status for status, code in _CODES.items()}


class Detail(ErrorDetail):
    """A detail that can be read in JSON (`debug`), without its descriptor."""

    def __init__(self, packed: any_pb2.Any) -> None:
        super().__init__(Any(type_url=packed.type_url, value=packed.value))
        name = packed.TypeName().rpartition(".")[2]
        kind = error_details_pb2.DESCRIPTOR.message_types_by_name[name]
        plain = as_data(GetMessageClass(kind).FromString(packed.value))
        self._plain = message_from_json_value(Struct, plain)

    def value(self, desc_or_registry: object = None) -> Message | None:  # type: ignore[override]
        """Its value: as plain data, unless somebody asks for its message."""
        return self._plain if desc_or_registry is None else None


def error_of(fault: Fault, language: Language) -> ConnectError:
    """A fault as what Connect ends a call with, its texts in a language."""
    status = fault.message_in(language)
    return ConnectError(_CODES[fault.code], status.message, [Detail(one) for one in status.details])


def fault_of(error: ConnectError) -> Fault:
    """The fault that Connect itself found in a call."""
    status = _STATUSES[error.code]
    return Fault(status, f"STREAM_{status.name}", error.message)
