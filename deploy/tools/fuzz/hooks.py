"""Sends parts of uploads (tus), whose media type Schemathesis does not know, as bytes."""

import schemathesis

schemathesis.serializer.alias("application/offset+octet-stream", "application/octet-stream")
