//! Document bytes, named by their SHA-256, in a directory or an S3 bucket.
