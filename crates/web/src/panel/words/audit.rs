//! What administrators did.

use crate::page::words;

words! {
    audit_title: "Auditoría", "Audit";
    audit_lead: "Quién entró al panel y qué hicieron en él las personas de la empresa y el operador de la instalación. Se conserva 400 días. Lo que hicieron quienes firman está en el historial de cada folio.",
        "Who signed in to the panel, and what the company's people and the operator of the installation did in it. It is kept for 400 days. What signers did is in each folio's history.";
    audit_none: "Todavía no hay nada que contar.", "There is nothing to tell yet.";
    audit_unmatched: "No hay nada así.", "There is nothing like that.";
    audit_anybody: "Cualquier persona", "Anybody";
    audit_anything: "Cualquier cosa", "Anything";
    audit_from: "Desde el día", "From the day";
    audit_to: "Hasta el día", "To the day";
    audit_filter: "Filtrar", "Filter";
    audit_clear: "Quitar filtros", "Clear filters";
    audit_export: "Descargar en CSV", "Download as CSV";
    audit_export_hint: "Con los filtros de arriba; como máximo los 10 000 actos más recientes.", "With the filters above; the 10,000 newest acts at most.";
    audit_many_places: "varias direcciones", "several addresses";
    audit_times: "Veces", "Times";
    audit_word: "Código", "Code";
    audit_detail: "Detalle", "Detail";
    audit_cut: "Hay más actos: filtre por fechas para verlos.", "There are more acts: filter by dates to see them.";
    audit_when: "Cuándo", "When";
    audit_who: "Quién", "Who";
    audit_what: "Qué", "What";
    audit_where: "Desde", "From";
    act_user_invited: "Invitó a alguien", "Invited somebody";
    operator: "Operador de la instalación", "Operator of the installation";
    act_user_added: "Agregó a alguien", "Added somebody";
    act_password_given: "Puso otra contraseña", "Set another password";
    act_user_invited_again: "Volvió a invitar", "Invited again";
    act_role_changed: "Cambió un rol", "Changed a role";
    act_user_disabled: "Quitó un acceso", "Took access away";
    act_user_enabled: "Devolvió un acceso", "Gave access back";
    act_second_factor_removed: "Quitó una verificación en dos pasos", "Took two-step verification off";
    act_recovery_codes_renewed: "Creó códigos de recuperación nuevos", "Made new recovery codes";
    act_company_changed: "Cambió la empresa", "Changed the company";
    act_logo_changed: "Cambió el logo", "Changed the logo";
    act_key_made: "Creó una llave", "Made a key";
    act_key_rotated: "Reemplazó una llave", "Replaced a key";
    act_key_revoked: "Revocó una llave", "Revoked a key";
    act_webhook_added: "Agregó un webhook", "Added a webhook";
    act_webhook_changed: "Cambió un webhook", "Changed a webhook";
    act_webhook_removed: "Quitó un webhook", "Removed a webhook";
    act_webhook_tested: "Probó un webhook", "Tested a webhook";
    act_webhook_resent: "Reenvió un aviso a un webhook", "Sent a message to a webhook again";
    part_name: "nombre", "name";
    part_colour: "color", "colour";
    part_timezone: "zona horaria", "time zone";
    part_embedding: "sitios que muestran las páginas", "sites that show the pages";
    part_approval: "aprobación", "approval";
    part_second_factor_required: "verificación en dos pasos exigida a todas las personas", "two-step verification demanded of everybody";
    part_second_factor_optional: "verificación en dos pasos ya no exigida", "two-step verification no longer demanded";
    part_folio_days: "días para firmar", "days to sign";
    part_retention_days: "días que se conservan los folios", "days folios are kept";
    part_disabled: "desactivado", "disabled";
    part_enabled: "activado", "enabled";
    part_secret: "otro secreto", "another secret";
    act_folio_dropped: "Retiró un folio", "Dropped a folio";
    act_signer_freed: "Permitió a un firmante pedir códigos otra vez", "Let a signer ask for codes again";
    act_signed_in: "Entró al panel", "Signed in";
    act_sign_in_failed: "Entrada fallida: contraseña incorrecta o cuenta sin acceso", "Sign-in failed: wrong password, or an account without access";
    act_code_failed: "Entrada fallida: código incorrecto", "Sign-in failed: wrong code";
    act_signed_out: "Salió del panel", "Signed out";
    act_sessions_ended: "Cerró otras sesiones suyas", "Ended other sessions of their own";
    act_password_changed: "Cambió su contraseña", "Changed their password";
    act_password_reset: "Eligió una contraseña con un enlace", "Chose a password by a link";
    act_invitation_accepted: "Aceptó una invitación", "Accepted an invitation";
    act_invitation_withdrawn: "Retiró una invitación", "Withdrew an invitation";
    act_second_factor_added: "Activó su verificación en dos pasos", "Turned their two-step verification on";
    act_folios_approved: "Aprobó folios", "Approved folios";
    act_folios_disapproved: "Rechazó folios firmados", "Rejected signed folios";
    act_folios_cancelled: "Anuló folios", "Cancelled folios";
    act_folio_resent: "Reenvió un folio", "Resent a folio";
    act_messages_retried: "Volvió a intentar los mensajes no entregados de un folio",
        "Tried the undelivered messages of a folio again";
}
