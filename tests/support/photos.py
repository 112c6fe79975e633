"""Photos as a camera makes them, and as they are kept."""

from __future__ import annotations

from io import BytesIO

from PIL import Image

#: Where it was taken, as it is in the files of cameras.
PLACE = b"35.6586N 139.7454E"


def photo(width: int = 60, height: int = 84, *, progressive: bool = False) -> bytes:
    """A JPEG with the metadata that cameras write."""
    picture = Image.radial_gradient("L").resize((width, height)).convert("RGB")
    exif = Image.Exif()
    exif[0x010E] = PLACE.decode()
    file = BytesIO()
    picture.save(
        file, "JPEG", exif=exif, progressive=progressive, comment=b"of " + PLACE,
        icc_profile=b"profile " + PLACE,
    )  # fmt: skip
    return file.getvalue()


def drawn(file: bytes) -> tuple[tuple[int, int], bytes]:
    """What is seen of a file: its size, and its pixels."""
    with Image.open(BytesIO(file)) as picture:
        picture.load()
        return picture.size, picture.tobytes()
