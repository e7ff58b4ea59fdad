//! API keys.

use crate::page::{PanelLang, panel_texts};

panel_texts! {
    keys_title: "Llaves de la API", "API keys";
    keys_lead: "Con una llave, un sistema de la empresa crea y consulta folios. Trátela como una contraseña.",
        "With a key, a system of the company creates and reads folios. Treat it like a password.";
    keys_none: "Todavía no hay llaves. Cree la primera para conectar un sistema de la empresa.",
        "There are no keys yet. Make the first one to connect a system of the company.";
    key_label: "Para qué es", "What it is for";
    key_label_hint: "Por ejemplo, el nombre del sistema que la usará.", "For example, the name of the system that will use it.";
    key_label_malformed: "Escriba para qué es, en 100 caracteres como máximo.", "Say what it is for, in 100 characters at most.";
    key_permissions: "Para qué sirve", "What it can be used for";
    key_permissions_hint: "Marque solo lo que el sistema necesita. Después no se puede cambiar: se crea otra llave.",
        "Tick only what the system needs. It cannot be changed later: another key is made.";
    key_permissions_missing: "Marque al menos un permiso.", "Tick at least one permission.";
    key_permissions_all: "Todos los permisos", "Every permission";
    permission_create: "Crear folios", "Create folios";
    permission_create_lead: "Enviar documentos para que se firmen.", "Send documents to be signed.";
    permission_read: "Consultar folios", "Read folios";
    permission_read_lead: "Ver el estado de los folios y de las firmas masivas, con los datos de contacto de los firmantes.",
        "See the state of folios and of bulk signatures, with the signers' contact details.";
    permission_download: "Descargar documentos", "Download documents";
    permission_download_lead: "Obtener los PDF, firmados o sin firmar.", "Get the PDF files, signed or not.";
    permission_act: "Actuar sobre folios", "Act on folios";
    permission_act_lead: "Reenviar correos, corregir el correo o el celular de un firmante, anular folios e iniciar firmas masivas.",
        "Resend emails, correct a signer's email address or mobile number, cancel folios and start bulk signatures.";
    permission_evidence: "Descargar evidencia", "Download evidence";
    permission_evidence_lead: "Obtener el archivo que prueba lo que pasó con un folio.", "Get the file that proves what happened to a folio.";
    key_expires: "Último día en que sirve", "Last day it works";
    key_expires_malformed: "Elija un día de hoy en adelante, o ninguno.", "Choose a day from today on, or none.";
    key_no_end: "sin fecha", "no end";
    key_made: "Creada", "Made";
    key_last_used: "Último uso", "Last use";
    key_ends: "Sirve hasta", "Works until";
    key_until: "Sirve hasta el", "Works until";
    key_state_live: "Activa", "Live";
    key_state_expired: "Vencida", "Expired";
    key_state_revoked: "Revocada", "Revoked";
    key_make_title: "Crear una llave", "Make a key";
    key_make: "Crear la llave", "Make the key";
    keys_full: "La empresa tiene demasiadas llaves activas. Revoque alguna.", "The company has too many live keys. Revoke one.";
    key_shown_title: "Su llave nueva", "Your new key";
    key_shown_lead: "Cópiela ahora: no se mostrará de nuevo.", "Copy it now: it will not be shown again.";
    key_try: "Para probarla, donde haya un contrato.pdf:", "To try it, where there is a contrato.pdf:";
    key_kept: "Ya la guardé", "I have kept it";
    key_rotate: "Reemplazar", "Replace";
    key_rotate_title: "Reemplazar la llave", "Replace the key";
    key_rotate_lead: "Se crea una llave nueva para lo mismo, con los mismos permisos. La anterior sigue sirviendo un tiempo, para que cambie su sistema sin interrupciones.",
        "A new key is made for the same, with the same permissions. The old one keeps working for a while, so that you can change your system without a break.";
    key_rotate_hours: "La anterior sigue sirviendo durante", "The old one still works for";
    key_rotate_expires: "Último día en que sirve la nueva", "Last day the new one works";
    key_rotate_make: "Crear la nueva", "Make the new one";
    key_revoke: "Revocar", "Revoke";
    key_revoke_title: "¿Revocar esta llave?", "Revoke this key?";
    key_revoke_lead: "El sistema que la usa dejará de tener acceso de inmediato.", "The system that uses it will lose its access at once.";
    key_revoked: "Se revocó la llave.", "The key was revoked.";
    key_requests: "Solicitudes", "Requests";
    requests_title: "Solicitudes recientes a la API", "Recent requests to the API";
    requests_lead: "Lo que pidieron los sistemas de la empresa y lo que se les respondió, lo más reciente primero. Se conservan las últimas 500 solicitudes atendidas y las últimas 500 con error, durante 7 días como máximo y sin su contenido. Una solicitud aparece pocos segundos después.",
        "What the company's systems asked for and what they were told, newest first. The last 500 requests that succeeded and the last 500 that failed are kept, for 7 days at most and without their content. A request appears here a few seconds later.";
    requests_none: "Todavía no hay solicitudes.", "There are no requests yet.";
    requests_unmatched: "No hay solicitudes así.", "There are no such requests.";
    requests_any_key: "Cualquier llave", "Any key";
    requests_errors: "Solo errores", "Errors only";
    request_key: "Llave", "Key";
    request_operation: "Operación", "Operation";
    request_response: "Respuesta", "Response";
    request_took: "Duración", "Duration";
    operation_create: "Crear un folio", "Create a folio";
    operation_read: "Consultar un folio", "Read a folio";
    operation_read_several: "Consultar varios folios", "Read several folios";
    operation_resend: "Reenviar correos", "Resend emails";
    operation_download: "Descargar un documento", "Download a document";
    operation_cancel: "Anular folios", "Cancel folios";
    operation_start_bulk: "Iniciar una firma masiva", "Start a bulk signature";
    operation_read_bulk: "Consultar una firma masiva", "Read a bulk signature";
    operation_evidence: "Descargar la evidencia", "Download the evidence";
}

impl PanelLang {
    /// The hours an old key may still work, with what to call them.
    pub(crate) const fn overlaps(self) -> [(u64, &'static str); 4] {
        match self {
            Self::Es => [(1, "1 hora"), (24, "1 día"), (72, "3 días"), (168, "1 semana")],
            Self::En => [(1, "1 hour"), (24, "1 day"), (72, "3 days"), (168, "1 week")],
        }
    }
}
