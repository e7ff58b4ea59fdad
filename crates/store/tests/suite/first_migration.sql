-- What the program of the first migration wrote: three folios, one cancelled, one resent, a bulk signature, a key.
-- <bytes …> stands for bytes in hexadecimal.
INSERT INTO companies (name, created_at)
    VALUES ('Old', 1800000000000000);
INSERT INTO api_keys (id, company, label, lookup, hash, created_at, expires_at, last_used_at, revoked_at)
    VALUES (<bytes 02020202020202020202020202020202>, 1, 'old', 144680345676153346, <bytes 0202020202020202020202020202020202020202020202020202020202020202>, 1800000000000000, NULL, NULL, NULL);
INSERT INTO folios (id, company, name, message, observation, created_at, updated_at, state, dropped, signature_type, return_url, expires_at, history_length, history_hash)
    VALUES (<bytes cd2662154e6d76b2b2b92e70c0cac3cc>, 1, 'Contrato de Ñandú', 'Señora:
	firme aquí, ''por favor''; -- gracias', 'El cliente cambió de opinión', 1800000001000000, 1800000010000000, 'cancelled', 0, 'sms_code', 'https://example.com/volver?a=ñ', 1801000000000000, 2, <bytes 1fc196d4b122ab22615b2d68a52eb696cf7d137c2d545e8a30a695373c4b1795>);
INSERT INTO folios (id, company, name, message, observation, created_at, updated_at, state, dropped, signature_type, return_url, expires_at, history_length, history_hash)
    VALUES (<bytes d5688a52d55a02ec4aea5ec1eadfffe1>, 1, 'Contrato de Ñandú', 'Señora:
	firme aquí, ''por favor''; -- gracias', NULL, 1800000001000000, 1800000010000000, 'pending', 0, 'sms_code', 'https://example.com/volver?a=ñ', 1801000000000000, 2, <bytes a29b8f9f71ff83737b7217878e4f03acc6853cd57948443db12239c0386e4e20>);
INSERT INTO folios (id, company, name, message, observation, created_at, updated_at, state, dropped, signature_type, return_url, expires_at, history_length, history_hash)
    VALUES (<bytes 5dee4dd60ff8d0ba9900fe91e90e0dcf>, 1, 'Contrato de Ñandú', 'Señora:
	firme aquí, ''por favor''; -- gracias', NULL, 1800000001000000, NULL, 'pending', 0, 'sms_code', 'https://example.com/volver?a=ñ', 1801000000000000, 1, <bytes 5cb9cd110628ec786fcf67d4f1db3a0bc7b2bb5b0f1ef2d0f76f3b8be6436025>);
INSERT INTO documents (folio, position, id, name, sha256, size, created_at)
    VALUES (1, 0, <bytes cd04a4754498e06db5a13c5f371f1f04>, 'Contrato «final».pdf', <bytes 0707070707070707070707070707070707070707070707070707070707070707>, 26214400, 1800000001000000);
INSERT INTO documents (folio, position, id, name, sha256, size, created_at)
    VALUES (2, 0, <bytes 8005f02d43fa06e7d0585fb64c961d57>, 'Contrato «final».pdf', <bytes 0707070707070707070707070707070707070707070707070707070707070707>, 26214400, 1800000001000000);
INSERT INTO documents (folio, position, id, name, sha256, size, created_at)
    VALUES (3, 0, <bytes 14ac577cdb2ef6d986078b4054cc9893>, 'Contrato «final».pdf', <bytes 0707070707070707070707070707070707070707070707070707070707070707>, 26214400, 1800000001000000);
INSERT INTO signers (folio, position, name, document_type, document_number, email, mobile, state, signed_from, updated_at)
    VALUES (1, 0, 'María Ñáñez 0', 'CE', '900.0-1', 'maría0@ejemplo.com.co', '+573001234567', 'pending', NULL, NULL);
INSERT INTO signers (folio, position, name, document_type, document_number, email, mobile, state, signed_from, updated_at)
    VALUES (1, 1, 'María Ñáñez 1', 'CE', '900.1-1', 'maría1@ejemplo.com.co', '+573001234567', 'pending', NULL, NULL);
INSERT INTO signers (folio, position, name, document_type, document_number, email, mobile, state, signed_from, updated_at)
    VALUES (2, 0, 'María Ñáñez 0', 'CE', '900.0-1', 'maría0@ejemplo.com.co', '+573001234567', 'pending', NULL, NULL);
INSERT INTO signers (folio, position, name, document_type, document_number, email, mobile, state, signed_from, updated_at)
    VALUES (2, 1, 'María Ñáñez 1', 'CE', '900.1-1', 'nueva@ejemplo.co', '+573001234567', 'pending', NULL, NULL);
INSERT INTO signers (folio, position, name, document_type, document_number, email, mobile, state, signed_from, updated_at)
    VALUES (3, 0, 'María Ñáñez 0', 'CE', '900.0-1', 'maría0@ejemplo.com.co', '+573001234567', 'pending', NULL, NULL);
INSERT INTO signers (folio, position, name, document_type, document_number, email, mobile, state, signed_from, updated_at)
    VALUES (3, 1, 'María Ñáñez 1', 'CE', '900.1-1', 'maría1@ejemplo.com.co', '+573001234567', 'pending', NULL, NULL);
INSERT INTO events (folio, number, body, hash)
    VALUES (1, 1, '{"folio":"cd2662154e6d76b2b2b92e70c0cac3cc","number":1,"at":1800000001000000,"who":"integration","key":"05050505050505050505050505050505","address":"192.0.2.1","what":"created","documents":[{"document":"cd04a4754498e06db5a13c5f371f1f04","sha256":"0707070707070707070707070707070707070707070707070707070707070707"}],"signers":[{"name":"María Ñáñez 0","document_type":"CE","document_number":"900.0-1","email":"maría0@ejemplo.com.co","mobile":"+573001234567"},{"name":"María Ñáñez 1","document_type":"CE","document_number":"900.1-1","email":"maría1@ejemplo.com.co","mobile":"+573001234567"}],"signature_type":"sms_code"}', <bytes 5d4365464995ac449e6512ed5d69aa38b489d3599361db08125f3a701c6cd91d>);
INSERT INTO events (folio, number, body, hash)
    VALUES (1, 2, '{"folio":"cd2662154e6d76b2b2b92e70c0cac3cc","number":2,"at":1800000010000000,"who":"integration","key":"05050505050505050505050505050505","address":"192.0.2.1","what":"cancelled","observation":"El cliente cambió de opinión"}', <bytes 1fc196d4b122ab22615b2d68a52eb696cf7d137c2d545e8a30a695373c4b1795>);
INSERT INTO events (folio, number, body, hash)
    VALUES (2, 1, '{"folio":"d5688a52d55a02ec4aea5ec1eadfffe1","number":1,"at":1800000001000000,"who":"integration","key":"05050505050505050505050505050505","address":"192.0.2.1","what":"created","documents":[{"document":"8005f02d43fa06e7d0585fb64c961d57","sha256":"0707070707070707070707070707070707070707070707070707070707070707"}],"signers":[{"name":"María Ñáñez 0","document_type":"CE","document_number":"900.0-1","email":"maría0@ejemplo.com.co","mobile":"+573001234567"},{"name":"María Ñáñez 1","document_type":"CE","document_number":"900.1-1","email":"maría1@ejemplo.com.co","mobile":"+573001234567"}],"signature_type":"sms_code"}', <bytes d30f6c64ac1efebc2ba108a1662162849885f774dab636970c63a4079cba22d4>);
INSERT INTO events (folio, number, body, hash)
    VALUES (2, 2, '{"folio":"d5688a52d55a02ec4aea5ec1eadfffe1","number":2,"at":1800000010000000,"who":"integration","key":"05050505050505050505050505050505","address":"192.0.2.1","what":"resent","signer":1,"before":{"email":"maría1@ejemplo.com.co","mobile":"+573001234567"},"contact":{"email":"nueva@ejemplo.co","mobile":"+573001234567"},"return_url":"https://example.com/volver?a=ñ"}', <bytes a29b8f9f71ff83737b7217878e4f03acc6853cd57948443db12239c0386e4e20>);
INSERT INTO events (folio, number, body, hash)
    VALUES (3, 1, '{"folio":"5dee4dd60ff8d0ba9900fe91e90e0dcf","number":1,"at":1800000001000000,"who":"integration","key":"05050505050505050505050505050505","address":"192.0.2.1","what":"created","documents":[{"document":"14ac577cdb2ef6d986078b4054cc9893","sha256":"0707070707070707070707070707070707070707070707070707070707070707"}],"signers":[{"name":"María Ñáñez 0","document_type":"CE","document_number":"900.0-1","email":"maría0@ejemplo.com.co","mobile":"+573001234567"},{"name":"María Ñáñez 1","document_type":"CE","document_number":"900.1-1","email":"maría1@ejemplo.com.co","mobile":"+573001234567"}],"signature_type":"sms_code"}', <bytes 5cb9cd110628ec786fcf67d4f1db3a0bc7b2bb5b0f1ef2d0f76f3b8be6436025>);
INSERT INTO outbox (company, folio, signer, channel, template, recipient, state, created_at, due_at, leased_until, attempts, last_error)
    VALUES (1, 1, 0, 'email', 'invitation', 'maría0@ejemplo.com.co', 'waiting', 1800000001000000, 1800000001000000, NULL, 0, NULL);
INSERT INTO outbox (company, folio, signer, channel, template, recipient, state, created_at, due_at, leased_until, attempts, last_error)
    VALUES (1, 1, 1, 'email', 'invitation', 'maría1@ejemplo.com.co', 'waiting', 1800000001000000, 1800000001000000, NULL, 0, NULL);
INSERT INTO outbox (company, folio, signer, channel, template, recipient, state, created_at, due_at, leased_until, attempts, last_error)
    VALUES (1, 2, 0, 'email', 'invitation', 'maría0@ejemplo.com.co', 'waiting', 1800000001000000, 1800000001000000, NULL, 0, NULL);
INSERT INTO outbox (company, folio, signer, channel, template, recipient, state, created_at, due_at, leased_until, attempts, last_error)
    VALUES (1, 2, 1, 'email', 'invitation', 'maría1@ejemplo.com.co', 'waiting', 1800000001000000, 1800000001000000, NULL, 0, NULL);
INSERT INTO outbox (company, folio, signer, channel, template, recipient, state, created_at, due_at, leased_until, attempts, last_error)
    VALUES (1, 3, 0, 'email', 'invitation', 'maría0@ejemplo.com.co', 'waiting', 1800000001000000, 1800000001000000, NULL, 0, NULL);
INSERT INTO outbox (company, folio, signer, channel, template, recipient, state, created_at, due_at, leased_until, attempts, last_error)
    VALUES (1, 3, 1, 'email', 'invitation', 'maría1@ejemplo.com.co', 'waiting', 1800000001000000, 1800000001000000, NULL, 0, NULL);
INSERT INTO outbox (company, folio, signer, channel, template, recipient, state, created_at, due_at, leased_until, attempts, last_error)
    VALUES (1, 1, 0, 'email', 'cancelled', 'maría0@ejemplo.com.co', 'waiting', 1800000010000000, 1800000010000000, NULL, 0, NULL);
INSERT INTO outbox (company, folio, signer, channel, template, recipient, state, created_at, due_at, leased_until, attempts, last_error)
    VALUES (1, 1, 1, 'email', 'cancelled', 'maría1@ejemplo.com.co', 'waiting', 1800000010000000, 1800000010000000, NULL, 0, NULL);
INSERT INTO outbox (company, folio, signer, channel, template, recipient, state, created_at, due_at, leased_until, attempts, last_error)
    VALUES (1, 2, 1, 'email', 'contact_changed', 'maría1@ejemplo.com.co', 'waiting', 1800000010000000, 1800000010000000, NULL, 0, NULL);
INSERT INTO outbox (company, folio, signer, channel, template, recipient, state, created_at, due_at, leased_until, attempts, last_error)
    VALUES (1, 2, 1, 'email', 'reminder', 'nueva@ejemplo.co', 'waiting', 1800000010000000, 1800000010000000, NULL, 0, NULL);
INSERT INTO resends (folio, signer, at)
    VALUES (2, 1, 1800000010000000);
INSERT INTO bulks (id, company, signer_name, document_type, document_number, email, mobile, return_url, created_at, expires_at)
    VALUES (<bytes a3eb8db89fc5123ccfd49585059f292b>, 1, 'María Ñáñez 0', 'CE', '900.0-1', 'maría0@ejemplo.com.co', '+573001234567', 'https://example.com/volver?a=ñ', 1800000005000000, 1800086405000000);
INSERT INTO bulk_folios (bulk, position, folio)
    VALUES (1, 0, 1);
INSERT INTO bulk_folios (bulk, position, folio)
    VALUES (1, 1, 2);
INSERT INTO bulk_folios (bulk, position, folio)
    VALUES (1, 2, 3);
INSERT INTO idempotency_keys (company, idempotency_key, fingerprint, status, body, created_at)
    VALUES (1, 'key', <bytes 0101010101010101010101010101010101010101010101010101010101010101>, 200, '{}', 1800000000000000);
