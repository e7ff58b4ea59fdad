//! Folios: the list, the page of one, and what can be done with it.

use crate::api::error_texts as spanish;
use crate::page::{PanelLang, panel_texts};
use app::shared::error::{Unfit, UnfitDocument};
use domain::{FieldError, FolioState, SignerState, Template};

panel_texts! {
    nav_folios: "Folios", "Folios";
    nav_approvals: "Aprobaciones", "Approvals";
    nav_overview: "Resumen", "Overview";

    // The list.
    folios_title: "Folios", "Folios";
    folios_new: "Nuevo folio", "New folio";
    folios_search: "Buscar", "Search";
    folios_search_label: "Nombre, firmante, correo o documento", "Name, signer, email or document number";
    folios_state: "Estado", "State";
    folios_any_state: "Cualquiera", "Any";
    folios_from: "Creado desde", "Created from";
    folios_to: "Creado hasta", "Created until";
    folios_clear: "Quitar los filtros", "Clear the filters";
    folios_all: "Todos", "All";
    folios_counts: "Folios por estado", "Folios by state";
    folios_name: "Folio", "Folio";
    folios_signed: "Firmas", "Signatures";
    folios_created: "Creado", "Created";
    folios_filters: "Filtros y orden", "Filters and order";
    folios_mark: "Solo", "Only";
    folios_any_mark: "Todos", "All";
    mark_expiring: "Los que vencen en 7 días", "Those that expire within 7 days";
    mark_undelivered: "Los que tienen mensajes sin entregar o devueltos", "Those with undelivered or returned messages";
    mark_mine: "Los que creé", "Those that I created";
    mark_dropped: "Los retirados", "Those that were dropped";
    folios_order: "Orden", "Order";
    folios_newest_first: "Más recientes primero", "Newest first";
    folios_oldest_first: "Más antiguos primero", "Oldest first";
    folios_by_name: "Por nombre", "By name";
    folios_by_state: "Por estado", "By state";
    folios_by_end: "Pendientes, los que vencen antes primero", "Pending ones, those that expire first";
    folios_order_ignored: "Una lista con búsqueda, fechas o «Solo» va siempre por fecha de creación.",
        "A list with a search, dates or “Only” is always in the order of creation.";
    folios_size: "Folios por página", "Folios on a page";
    folios_export: "Exportar la lista:", "Export the list:";
    folios_export_cut: "La lista sigue: son más folios de los que caben en un archivo. Use los filtros.",
        "The list goes on: there are more folios than a file takes. Use the filters.";
    searches: "Búsquedas guardadas", "Saved searches";
    searches_remove: "Quitar búsquedas guardadas", "Remove saved searches";
    search_name: "Nombre para esta búsqueda", "Name for this search";
    search_save: "Guardar la búsqueda", "Save the search";
    search_saved: "Se guardó la búsqueda.", "The search was saved.";
    search_removed: "Se quitó la búsqueda.", "The search was removed.";
    search_unnamed: "Escriba un nombre para la búsqueda.", "Enter a name for the search.";
    search_too_many: "Ya tiene 20 búsquedas guardadas. Quite una.", "You have 20 saved searches already. Remove one.";
    several_resend: "Reenviar los elegidos", "Resend those chosen";
    several_cancel: "Anular los elegidos", "Cancel those chosen";
    several_nobody: "Elija al menos un folio.", "Choose at least one folio.";
    several_many: "Elija 50 folios como máximo.", "Choose 50 folios at most.";
    several_resend_title: "Reenviar a los firmantes", "Write to the signers again";
    several_resend_lead: "Se escribe otra vez a cada firmante que falta por firmar en estos folios.",
        "Each signer who has not signed yet in these folios is written to again.";
    several_cancel_title: "Anular folios", "Cancel folios";
    several_cancel_lead: "Nadie podrá firmarlos. Se avisará a los firmantes, que verán el motivo.",
        "Nobody will be able to sign them. The signers will be told and will see the reason.";
    folios_none_title: "Todavía no hay folios", "There are no folios yet";
    folios_none_lead: "Un folio son los documentos que alguien debe firmar. Cree el primero aquí, o desde su sistema con una llave de la API.",
        "A folio is the documents that somebody has to sign. Create the first one here, or from your system with an API key.";
    folios_none_reader: "Un folio son los documentos que alguien debe firmar. Cuando su empresa cree el primero, aparecerá aquí.",
        "A folio is the documents that somebody has to sign. When your company creates the first one, it will show here.";
    folios_unmatched_title: "Ningún folio coincide", "No folio matches";
    folios_unmatched_lead: "Pruebe con el comienzo de un nombre, un correo o un número de documento, o quite algún filtro.",
        "Try the beginning of a name, an email address or a document number, or clear a filter.";
    folios_search_more: "Seguir buscando más atrás", "Keep searching further back";
    folios_unfinished: "La búsqueda llegó hasta aquí; puede haber más folios anteriores.",
        "The search came this far; there may be more among older folios.";
    folio_dropped: "Retirado", "Dropped";
    folio_expired: "Venció", "Expired";
    folio_erased: "Borrado", "Erased";
    folio_erased_name: "Folio borrado", "Erased folio";
    folio_held: "Retención legal", "Legal hold";

    // Erasure and legal hold.
    folio_erased_lead: "Los documentos y los datos personales de este folio se borraron. Quedan sus fechas y las huellas de su historial, que prueban que existió y quién lo borró.",
        "The documents and personal data of this folio were erased. Its dates and the hashes of its history remain; they prove that it existed and who erased it.";
    folio_held_lead: "El folio está en retención legal: no se borra, ni por una persona ni por el plazo de conservación.",
        "The folio is under legal hold: neither a person nor retention erases it.";
    folio_erase: "Borrar los datos", "Erase the data";
    folio_hold: "Retención legal", "Legal hold";
    folio_lift: "Levantar la retención legal", "Lift the legal hold";
    folio_erased_notice: "Se borraron los documentos y los datos personales.", "Documents and personal data were erased.";
    folio_held_notice: "El folio quedó en retención legal.", "The folio is under legal hold.";
    folio_lifted_notice: "Se levantó la retención legal.", "The legal hold was lifted.";
    folio_held_before: "El folio ya estaba en retención legal: no se cambió nada.",
        "The folio was under legal hold already: nothing was changed.";
    folio_not_held: "El folio no estaba en retención legal: no se cambió nada.",
        "The folio was not under legal hold: nothing was changed.";
    folio_reason_hint: "Entre 10 y 500 caracteres. Queda en el historial: no escriba aquí datos personales.",
        "Between 10 and 500 characters. It stays in the history: write no personal data here.";
    erase_title: "Borrar el folio", "Erase the folio";
    erase_lead: "Se borran los documentos, los nombres, los contactos, los números y las direcciones de este folio. Las copias de seguridad ya tomadas los conservan hasta que se eliminen.",
        "The documents, names, contacts, numbers and addresses of this folio are erased. Backups that were taken before keep them until they are removed.";
    erase_do: "Borrar para siempre", "Erase for ever";
    hold_title: "Poner el folio en retención legal", "Place the folio under legal hold";
    hold_lead: "Mientras dure, nadie puede borrarlo, y el plazo de conservación no lo borra.",
        "While it lasts nobody can erase it, and retention does not erase it.";
    hold_do: "Poner en retención legal", "Place under legal hold";
    lift_title: "Levantar la retención legal", "Lift the legal hold";
    lift_lead: "El folio se podrá borrar otra vez, también por el plazo de conservación.",
        "The folio can be erased again, also by retention.";
    lift_do: "Levantar la retención", "Lift the hold";

    // One folio.
    folio_steps: "Pasos de", "Steps of";
    folio_link: "Ver su enlace", "See their link";
    folio_signed_document: "Documento firmado", "Signed document";
    folio_times_exact: "Ver las horas exactas", "See exact times";
    folio_times_plain: "Ver las horas en palabras", "See times in words";
    link_title: "Enlace de un firmante", "A signer's link";
    link_lead: "Es solo para esta persona: quien lo abre aparece en el historial como el firmante, y para firmar necesita además el código. En la auditoría queda registrado que usted lo vio.",
        "It is for this person alone: whoever opens it appears in the history as the signer, and needs the code besides to sign. The audit says that you saw it.";
    folio_documents: "Documentos", "Documents";
    folio_signers: "Firmantes", "Signers";
    folio_history: "Historial", "History";
    folio_history_lead: "Cada evento lleva la huella del anterior: nadie puede cambiar uno sin que se note.",
        "Each event carries the hash of the one before: nobody can change one unnoticed.";
    folio_history_older: "Ver lo anterior", "See what came before";
    folio_history_newest: "Ver lo más reciente", "See the newest";
    folio_messages: "Mensajes", "Messages";
    folio_messages_none: "No se ha enviado ningún mensaje.", "No message has been sent.";
    folio_retry: "Volver a intentar los no entregados", "Try the undelivered ones again";
    folio_message_label: "Mensaje a los firmantes", "Message to the signers";
    folio_observation: "Observación", "Observation";
    folio_created: "Creado", "Created";
    folio_updated: "Último cambio", "Last change";
    folio_expires: "Vence", "Expires";
    folio_next_reminder: "Próximo recordatorio", "Next reminder";
    folio_reminders_so_far: "Enviados hasta ahora: {}", "Sent so far: {}";
    folio_unwanted: "No se envió: ya no hacía falta", "Not sent: no longer needed";
    folio_kind: "Medio de verificación", "Verified by";
    folio_return: "Los firmantes vuelven a", "Signers return to";
    folio_id: "Identificador (folioId)", "Identifier (folioId)";
    folio_email_code: "Código por correo", "Code by email";
    folio_sms_code: "Código por SMS", "Code by text message";
    folio_download: "Descargar", "Download";
    folio_see: "Ver", "View";
    folio_evidence_pdf: "Constancia (PDF)", "Evidence (PDF)";
    folio_evidence_json: "Evidencia (JSON)", "Evidence (JSON)";
    folio_dropped_lead: "El folio fue retirado: sus documentos ya no se muestran ni se descargan. El historial y la evidencia siguen aquí.",
        "The folio was dropped: its documents are no longer shown or downloaded. History and evidence remain here.";
    folio_resend: "Reenviar", "Resend";
    folio_cancel: "Anular", "Cancel";
    folio_drop: "Retirar", "Drop";
    folio_sent: "Enviado", "Sent";
    folio_waiting: "En espera", "Waiting";
    folio_bounced: "Devuelto: no llegó", "Came back: it did not arrive";
    folio_complained: "Marcado como no deseado", "Reported as unwanted";
    folio_undelivered: "No se pudo entregar", "Could not be delivered";
    folio_back: "Volver al folio", "Back to the folio";
    folio_when: "Cuándo", "When";
    folio_what: "Qué", "What";
    folio_to: "Para", "To";
    folio_delivery: "Envío", "Delivery";
    folio_signer_name: "Nombre", "Name";
    folio_back_to_list: "Todos los folios", "All folios";
    folio_created_notice: "Se creó el folio.", "The folio was created.";
    folio_resent_notice: "Los mensajes van en camino.", "The messages are on their way.";
    folio_cancelled_notice: "Se anuló el folio. Se avisará a los firmantes.", "The folio was cancelled and the signers will be told.";
    folio_dropped_notice: "Se retiró el folio.", "The folio was dropped.";
    folio_approved_notice: "Se aprobó el folio.", "The folio was approved.";
    folio_disapproved_notice: "Se rechazó el folio.", "The folio was rejected by the company.";
    folio_free_signer: "Permitirle pedir códigos otra vez", "Let them ask for codes again";
    folio_freed_notice: "El firmante puede pedir códigos otra vez.", "The signer may ask for codes again.";
    folio_retried_notice: "Los mensajes se intentarán de nuevo.", "The messages will be tried again.";

    // Acts on one folio.
    resend_title: "Reenviar a los firmantes", "Write to the signers again";
    resend_lead: "El enlace de cada firmante sigue siendo el mismo. Si corrige un contacto, el anterior deja de servir y se le avisa.",
        "Each signer's link stays the same. If you correct a contact, the old one stops working and is told so.";
    resend_this: "Reenviar a esta persona", "Write to this person";
    resend_send: "Enviar", "Send";
    resend_nobody: "Marque al menos a una persona.", "Tick at least one person.";
    cancel_title: "Anular el folio", "Cancel the folio";
    cancel_lead: "Nadie podrá firmarlo. Se avisará a los firmantes, que verán el motivo.",
        "Nobody will be able to sign it. The signers will be told and will see the reason.";
    cancel_reason: "Motivo", "Reason";
    cancel_hint: "Entre 10 y 500 caracteres.", "Between 10 and 500 characters.";
    cancel_do: "Anular el folio", "Cancel the folio";
    drop_title: "Retirar el folio", "Drop the folio";
    drop_lead: "Sus documentos ya no podrán verse ni descargarse, tampoco por sus firmantes. El historial y la evidencia se conservan.",
        "Its documents can no longer be seen or downloaded, by its signers neither. History and evidence are kept.";
    drop_do: "Retirar el folio", "Drop the folio";

    // Creating one.
    new_title: "Nuevo folio", "New folio";
    new_lead: "Cada firmante recibe un enlace propio para leer los documentos y firmarlos con un código.",
        "Each signer gets a link of their own to read the documents and sign them with a code.";
    new_name: "Nombre del folio", "Name of the folio";
    new_name_hint: "Lo verán los firmantes. Por ejemplo: Contrato de arriendo, apto 501.", "The signers will see it. For example: Lease, apartment 501.";
    new_message: "Mensaje a los firmantes", "Message to the signers";
    new_kind: "Cómo reciben el código", "How they get the code";
    new_by_email: "Por correo", "By email";
    new_by_sms: "Por SMS", "By text message";
    new_language: "Idioma de la hoja de firmas, la constancia y los mensajes", "Language of the signature sheet, the evidence and messages";
    new_language_usual: "El de la empresa", "The company's";
    new_return: "A dónde vuelven después de firmar", "Where they return to after signing";
    new_return_hint: "Una dirección web. Si la deja vacía, vuelven a la página donde se verifican documentos.",
        "A web address. If you leave it empty, they return to the page where documents are verified.";
    new_send: "Enviar la invitación por correo a cada firmante", "Email the invitation to each signer";
    new_signer_more: "Agregar otro firmante", "Add another signer";
    new_signer_remove: "Quitar", "Remove";
    new_signer_up: "Subir", "Move up";
    new_signer_down: "Bajar", "Move down";
    new_signer_fill: "Completar con los datos de su último folio", "Fill in from their last folio";
    new_save: "Guardar borrador", "Save the draft";
    new_signed_out: "Su sesión terminó. Lo que ve en esta página sigue aquí:", "Your session ended. What you see on this page is still here:";
    new_sign_in_again: "entre de nuevo en otra pestaña", "sign in in another tab";
    new_and_return: "y vuelva a esta.", "and come back to this one.";
    new_offline: "No hay conexión. Lo que ve en esta página sigue aquí; inténtelo de nuevo.",
        "There is no connection. What you see on this page is still here; try again.";
    new_saved: "Borrador guardado", "Draft saved";
    drafts_title: "Borradores", "Drafts";
    drafts_lead: "Formularios que no se enviaron. Se borran a los 14 días.", "Forms that were not sent. They are deleted after 14 days.";
    draft_continue: "Seguir", "Continue";
    draft_discard: "Descartar", "Discard";
    draft_discarded: "Se descartó el borrador.", "The draft was discarded.";
    draft_unnamed: "Sin nombre", "Without a name";
    new_signer_email: "Correo", "Email";
    new_signer_mobile: "Celular", "Mobile phone";
    new_signer_number: "Número de documento", "Document number";
    new_signer_kind: "Tipo de documento", "Type of document";
    new_documents: "Documentos", "Documents";
    new_documents_hint: "Uno o varios archivos PDF.", "One or more PDF files.";
    new_create: "Crear el folio", "Create the folio";
    new_wrong: "Hay errores. Revise los campos marcados.", "There are errors. Check the fields that are marked.";

    // Approval.
    approvals_title: "Aprobaciones", "Approvals";
    approvals_lead: "Folios que todos firmaron y que esperan una decisión de su empresa.",
        "Folios that everybody signed and that await your company's decision.";
    approval_lead: "Todos firmaron este folio. Falta la decisión de su empresa.", "Everybody signed this folio. Your company's decision is missing.";
    approvals_none_title: "Nada espera aprobación", "Nothing awaits approval";
    approvals_none_lead: "Cuando todos los firmantes de un folio hayan firmado, aparecerá aquí.",
        "When all signers of a folio have signed, it will show here.";
    approvals_keys: "Con el teclado, desde la lista: J y K para bajar y subir, también de una página a otra, X para elegir, O para abrir, A para aprobar, R para rechazar. A y R también sirven en el folio abierto con O.",
        "By keyboard, from the list: J and K to go down and up, also from page to page, X to choose, O to open, A to approve, R to reject. A and R also work on the folio opened with O.";
    approvals_see: "Ver el documento firmado", "See the signed document";
    approvals_next: "Ver el siguiente por aprobar", "See the next one that awaits approval";
    approvals_choose: "Elegir", "Choose";
    approvals_approve: "Aprobar", "Approve";
    approvals_reject: "Rechazar", "Reject";
    approvals_nobody: "Marque al menos un folio.", "Tick at least one folio.";
    approvals_sure_title: "Aprobar", "Approve";
    approvals_sure_lead: "Los folios quedarán como firmados y aprobados. Su nombre y las huellas de los documentos quedan en el historial.",
        "The folios will be signed and approved. Your name and the documents' hashes will be in the history.";
    approvals_no_title: "Rechazar", "Reject";
    approvals_no_lead: "Los folios quedarán rechazados por la empresa. El motivo, su nombre y las huellas de los documentos quedan en el historial.",
        "The folios will be rejected by the company. The reason, your name and the documents' hashes will be in the history.";
    approvals_signed: "Firmado", "Signed";
}

impl PanelLang {
    /// Why a document cannot be taken, naming it.
    pub(crate) fn unfit(self, document: &UnfitDocument) -> String {
        let name = document.name.as_str();
        match (self, &document.why) {
            (Self::Es, _) => spanish::unfit(document),
            (Self::En, Unfit::TooLarge { max }) => {
                format!(
                    "The document ({name}) is larger than the {} MB allowed.",
                    max >> 20
                )
            }
            (Self::En, Unfit::TooLargeTogether { max }) => format!(
                "The document ({name}) is too much: together the documents are larger than the {} MB allowed.",
                max >> 20
            ),
            (Self::En, Unfit::TooMany { max }) => {
                format!("The document ({name}) is one too many: a folio takes {max} at most.")
            }
            (Self::En, Unfit::TooManyFolios { max }) => format!(
                "The document ({name}) is too complex for so many folios at once: {max} at most are made with it. Split the file."
            ),
            (Self::En, Unfit::Refused { refused, .. }) => {
                format!("The document ({name}) cannot be signed: {refused}.")
            }
        }
    }

    /// The state of a folio, in a word or two.
    pub(crate) const fn folio_state_label(self, state: FolioState) -> &'static str {
        match (self, state) {
            (Self::Es, FolioState::Pending) => "Pendiente",
            (Self::Es, FolioState::Signed) => "Firmado",
            (Self::Es, FolioState::RejectedBySigner) => "Rechazado por un firmante",
            (Self::Es, FolioState::Approved) => "Aprobado",
            (Self::Es, FolioState::Disapproved) => "Rechazado por la empresa",
            (Self::Es, FolioState::Cancelled) => "Anulado",
            (Self::En, FolioState::Pending) => "Pending",
            (Self::En, FolioState::Signed) => "Signed",
            (Self::En, FolioState::RejectedBySigner) => "Rejected by a signer",
            (Self::En, FolioState::Approved) => "Approved",
            (Self::En, FolioState::Disapproved) => "Rejected by the company",
            (Self::En, FolioState::Cancelled) => "Cancelled",
        }
    }

    pub(crate) const fn signer_did(self, state: SignerState) -> &'static str {
        match (self, state) {
            (Self::Es, SignerState::Pending) => "Pendiente",
            (Self::Es, SignerState::Signed) => "Firmó",
            (Self::Es, SignerState::Rejected) => "Rechazó",
            (Self::En, SignerState::Pending) => "Pending",
            (Self::En, SignerState::Signed) => "Signed",
            (Self::En, SignerState::Rejected) => "Rejected",
        }
    }

    /// A message, by what it is about.
    pub(crate) const fn message_about(self, template: Template) -> &'static str {
        match (self, template) {
            (Self::Es, Template::Invitation) => "Invitación a firmar",
            (Self::Es, Template::Reminder) => "Recordatorio",
            (Self::Es, Template::Cancelled) => "Aviso de anulación",
            (Self::Es, Template::Rejected) => "Aviso de rechazo",
            (Self::Es, Template::Receipt) => "Comprobante de firma",
            (Self::Es, Template::Completed) => "Aviso de que todos firmaron",
            (Self::Es, Template::ContactChanged) => "Aviso de cambio de contacto",
            (Self::Es, Template::OtherContact) => "Aviso de firma masiva con otro contacto",
            (Self::Es, Template::Code) => "Código de un solo uso",
            (Self::En, Template::Invitation) => "Invitation to sign",
            (Self::En, Template::Reminder) => "Reminder",
            (Self::En, Template::Cancelled) => "Notice of cancellation",
            (Self::En, Template::Rejected) => "Notice of rejection",
            (Self::En, Template::Receipt) => "Signing receipt",
            (Self::En, Template::Completed) => "Notice that everybody signed",
            (Self::En, Template::ContactChanged) => "Notice of a changed contact",
            (Self::En, Template::OtherContact) => "Notice of a bulk signature with another contact",
            (Self::En, Template::Code) => "One-time code",
        }
    }

    /// "2 de 3".
    pub(crate) fn count_of(self, some: usize, of: usize) -> String {
        match self {
            Self::Es => format!("{some} de {of}"),
            Self::En => format!("{some} of {of}"),
        }
    }

    /// Documents that are larger together than a request may be.
    pub(crate) fn too_large_together(self, most: &str) -> String {
        match self {
            Self::Es => format!("Los documentos superan juntos {most}. Envíe menos, o más pequeños."),
            Self::En => format!("Together the documents are over {most}. Send fewer or smaller ones."),
        }
    }

    /// "26 a 50 de 1.253".
    pub(crate) fn range(self, first: usize, last: usize, total: Option<i64>) -> String {
        let number = |number: usize| self.number(i64::try_from(number).unwrap_or(i64::MAX));
        let (first, last) = (number(first), number(last));
        match (self, total) {
            (Self::Es, Some(total)) => format!("{first} a {last} de {}", self.number(total)),
            (Self::En, Some(total)) => format!("{first} to {last} of {}", self.number(total)),
            (Self::Es, None) => format!("{first} a {last}"),
            (Self::En, None) => format!("{first} to {last}"),
        }
    }

    /// " y 2 más", after names.
    pub(crate) fn and_others(self, count: usize) -> String {
        match self {
            Self::Es => format!(" y {count} más"),
            Self::En => format!(" and {count} more"),
        }
    }

    /// What became of the folios that were to be cancelled.
    pub(crate) fn several_cancelled(self, done: usize, failed: usize) -> String {
        let first = match (self, done) {
            (Self::Es, 1) => "Se anuló 1 folio.".to_owned(),
            (Self::Es, _) => format!("Se anularon {done} folios."),
            (Self::En, 1) => "1 folio was cancelled.".to_owned(),
            (Self::En, _) => format!("{done} folios were cancelled."),
        };
        self.with_failed(first, failed)
    }

    /// What became of the folios whose signers were to be written to again.
    pub(crate) fn several_resent(self, done: usize, failed: usize) -> String {
        let first = match (self, done) {
            (Self::Es, 1) => "Los mensajes de 1 folio van en camino.".to_owned(),
            (Self::Es, _) => format!("Los mensajes de {done} folios van en camino."),
            (Self::En, 1) => "The messages of 1 folio are on their way.".to_owned(),
            (Self::En, _) => format!("The messages of {done} folios are on their way."),
        };
        self.with_failed(first, failed)
    }

    fn with_failed(self, first: String, failed: usize) -> String {
        match (self, failed) {
            (_, 0) => first,
            (Self::Es, 1) => format!("{first} Con otro no fue posible."),
            (Self::Es, _) => format!("{first} Con otros {failed} no fue posible."),
            (Self::En, 1) => format!("{first} With another it was not possible."),
            (Self::En, _) => format!("{first} With {failed} others it was not possible."),
        }
    }

    /// "Firmante 2".
    pub(crate) fn signer_number(self, number: usize) -> String {
        match self {
            Self::Es => format!("Firmante {number}"),
            Self::En => format!("Signer {number}"),
        }
    }

    /// Which part of the evidence a link leads to.
    pub(crate) fn evidence_part(self, part: usize, of: usize) -> String {
        match self {
            Self::Es => format!(", parte {part} de {of}"),
            Self::En => format!(", part {part} of {of}"),
        }
    }

    /// "3 intentos".
    pub(crate) fn attempts(self, count: i64) -> String {
        match (self, count) {
            (Self::Es, 1) => "1 intento".to_owned(),
            (Self::Es, _) => format!("{count} intentos"),
            (Self::En, 1) => "1 attempt".to_owned(),
            (Self::En, _) => format!("{count} attempts"),
        }
    }

    /// The outcome of the approval or rejection of several folios.
    pub(crate) fn approved_or_rejected(self, approved: bool, done: usize, failed: usize) -> String {
        let first = match (self, approved, done) {
            (Self::Es, true, 1) => "1 folio aprobado.".to_owned(),
            (Self::Es, true, _) => format!("{done} folios aprobados."),
            (Self::Es, false, 1) => "1 folio rechazado.".to_owned(),
            (Self::Es, false, _) => format!("{done} folios rechazados."),
            (Self::En, true, 1) => "1 folio approved.".to_owned(),
            (Self::En, true, _) => format!("{done} folios approved."),
            (Self::En, false, 1) => "1 folio rejected.".to_owned(),
            (Self::En, false, _) => format!("{done} folios rejected."),
        };
        match (self, failed) {
            (_, 0) => first,
            (Self::Es, 1) => format!("{first} Otro ya no esperaba aprobación."),
            (Self::Es, _) => format!("{first} Otros {failed} ya no esperaban aprobación."),
            (Self::En, 1) => format!("{first} Another no longer awaited approval."),
            (Self::En, _) => format!("{first} {failed} others no longer awaited approval."),
        }
    }

    /// The message for an invalid field.
    pub(crate) fn problem(self, problem: &FieldError) -> String {
        let text = match (self, problem) {
            (Self::Es, FieldError::Missing) => "Este dato es necesario.",
            (Self::En, FieldError::Missing) => "This is needed.",
            (Self::Es, FieldError::TooLong { max }) => return format!("Como máximo {max} caracteres."),
            (Self::En, FieldError::TooLong { max }) => return format!("At most {max} characters."),
            (Self::Es, FieldError::TooShort { min }) => return format!("Al menos {min} caracteres."),
            (Self::En, FieldError::TooShort { min }) => return format!("At least {min} characters."),
            (Self::Es, FieldError::TooMany { max }) => return format!("Como máximo {max}."),
            (Self::En, FieldError::TooMany { max }) => return format!("At most {max}."),
            (Self::Es, FieldError::Duplicate | FieldError::Repeated) => {
                "Dos firmantes tienen el mismo número de documento."
            }
            (Self::En, FieldError::Duplicate | FieldError::Repeated) => {
                "Two signers have the same document number."
            }
            (Self::Es, FieldError::NotEmail) => "Escriba un correo completo, como nombre@example.com.",
            (Self::En, FieldError::NotEmail) => "Enter a whole address, such as name@example.com.",
            (Self::Es, FieldError::NotMobile) => "Escriba un celular de 7 a 15 dígitos.",
            (Self::En, FieldError::NotMobile) => "Enter a phone number of 7 to 15 digits.",
            (Self::Es, FieldError::NotUrl) => "Escriba una dirección que empiece por https:// o http://.",
            (Self::En, FieldError::NotUrl) => "Enter an address that begins with https:// or http://.",
            (Self::Es, FieldError::ServiceName) => "Es un nombre reservado para el servicio.",
            (Self::En, FieldError::ServiceName) => "The name is reserved for the service.",
            (Self::Es, FieldError::NotDocumentNumber) => "Use solo letras, números, puntos y guiones.",
            (Self::En, FieldError::NotDocumentNumber) => "Use letters, digits, dots and hyphens only.",
            (Self::Es, _) => "Tiene caracteres que no se pueden guardar.",
            (Self::En, _) => "It has characters that cannot be kept.",
        };
        text.to_owned()
    }
}
