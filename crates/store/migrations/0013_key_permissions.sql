-- What a key may be used for; keys that exist keep all permissions.
ALTER TABLE api_keys ADD COLUMN permissions TEXT NOT NULL DEFAULT 'create,read,download,act,evidence';
