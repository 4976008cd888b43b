"""Compressed files, decompressed as they are read; and what is said of files of other programs.

The standard library only, as in open_files.py, but for zstd.
"""

import bz2
import gzip
import io
import lzma
import zipfile
from typing import Any, BinaryIO

from ..errors import InputError, comma_list

COMPRESSIONS = {b"\x1f\x8b": "gzip", b"BZh": "bzip2", b"\xfd7zXZ\x00": "xz", b"\x28\xb5\x2f\xfd": "zstd"}
ZIP = b"PK\x03\x04"
EMPTY_ZIP = b"PK\x05\x06"
EXCEL_97 = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
EXCEL = "is a workbook of Excel: save the sheet as CSV UTF-8 there (File, Save As), and give that."

SPREADSHEET = "is a spreadsheet of LibreOffice: save the sheet as CSV there (File, Save As), and give that."
NO_TABLES = {
    b"%PDF-": "a PDF document",
    b"@relation": "a file of Weka (ARFF)",
    b"<?xml": "XML",
    b"<!doctype html": "a web page (HTML)",
    b"<html": "a web page (HTML)",
    b"<table": "a web page (HTML)",
}
"""How files of text begin that are no tables, and what they are."""


def decompress(file: BinaryIO, kind: str) -> Any:
    """The bytes that a stream compressed in this way holds."""
    if kind == "gzip":
        return gzip.GzipFile(fileobj=file)
    if kind == "bzip2":
        return bz2.BZ2File(file)
    if kind == "xz":
        return lzma.LZMAFile(file)
    import pyarrow

    return pyarrow.CompressedInputStream(pyarrow.PythonFile(file, "r"), kind)


def open_zipped(path: Any, file: BinaryIO, name: str) -> Any:
    """The one file of a zip archive, opened; None if the archive is a file of arrays."""
    whole = io.BytesIO(file.read()) if path is None else path
    try:
        archive = zipfile.ZipFile(whole)
    except (zipfile.BadZipFile, OSError) as error:
        raise InputError(f"{name} is damaged or cut short: it cannot be decompressed.") from error
    members = [member for member in archive.namelist() if not member.endswith("/") and not is_hidden(member)]
    if members and all(member.endswith(".npy") for member in members):
        archive.close()
        return None
    try:
        return archive.open(only_member(members, name))
    except (zipfile.BadZipFile, RuntimeError, NotImplementedError) as error:
        raise InputError(f"{name} cannot be unpacked ({error}): unpack it, and give the file in it.") from error
    finally:
        archive.close()  # the file in it stays open until it is closed itself


def is_hidden(member: str) -> bool:
    """Whether a member was put into an archive by a system, not by a person."""
    return member.startswith("__MACOSX/") or member.rsplit("/", 1)[-1].startswith(".")


def only_member(members: list[str], name: str) -> str:
    """The one file of an archive; raises if there are others, or it is one of another program."""
    if "[Content_Types].xml" in members:
        raise InputError(f"{name} {EXCEL}")
    if "mimetype" in members and "content.xml" in members:
        raise InputError(f"{name} {SPREADSHEET}")
    if "novikoff.json" in members:
        raise InputError(f"{name} is a model that novikoff fit wrote, not data.")
    if len(members) != 1:
        if not members:
            raise InputError(f"{name} is a zip archive without a file in it.")
        what = comma_list(members, 3)
        raise InputError(f"{name} has {len(members)} files ({what}): give a zip archive of one file, or one of them.")
    return members[0]
