//! What administrators did.

use crate::page::words;

words! {
    audit_title: "Auditoría", "Audit";
    audit_lead: "Lo que las personas que administran o supervisan, y el operador de la instalación, hicieron con las cosas de la empresa. Lo que pasó con un folio está en su historial.",
        "What administrators and supervisors, and the operator of the installation, did to the company's things. What happened to a folio is in its history.";
    audit_none: "Todavía no hay nada que contar.", "There is nothing to tell yet.";
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
    part_folio_days: "días para firmar", "days to sign";
    part_retention_days: "días que se conservan los folios", "days folios are kept";
    part_disabled: "desactivado", "disabled";
    part_enabled: "activado", "enabled";
    part_secret: "otro secreto", "another secret";
    act_folio_dropped: "Retiró un folio", "Dropped a folio";
    act_signer_freed: "Permitió a un firmante pedir códigos otra vez", "Let a signer ask for codes again";
    act_messages_retried: "Volvió a intentar los mensajes no entregados de un folio",
        "Tried the undelivered messages of a folio again";
}
