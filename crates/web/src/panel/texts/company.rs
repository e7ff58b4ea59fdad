//! The company.

use crate::page::{PanelLang, panel_texts, texts};

panel_texts! {
    company_title: "Empresa", "Company";
    company_name: "Nombre", "Name";
    company_name_hint: "Así la ven los firmantes, en las páginas y los correos.", "This is how signers see it, on pages and in emails.";
    company_name_malformed: "Escriba el nombre, en 200 caracteres como máximo.", "Enter the name, in 200 characters at most.";
    company_name_taken: "Otra empresa de esta instalación se llama así.", "Another company of this installation has that name.";
    previews: "Cómo se ve", "How it looks";
    preview_page: "La página del firmante", "The signer's page";
    preview_email: "El correo", "The email";
    preview_sheet: "La hoja de firmas", "The signature sheet";
    contrast_good: "Se lee bien: contraste de {}:1.", "It can be read: a contrast of {}:1.";
    contrast_low: "No se lee bien (contraste de {}:1): al guardar se oscurece hasta 4,5:1, como se ve aquí.",
        "It cannot be read well (a contrast of {}:1): when saved it is made darker up to 4.5:1, as shown here.";
    company_look: "Apariencia", "Look";
    own_colour: "Usar un color propio en las páginas y los correos", "Use an own colour on pages and in emails";
    colour: "Color", "Colour";
    colour_hint: "Si es muy claro para leerse, se oscurece lo necesario.", "If it is too light to be read, it is made as dark as it needs to be.";
    colour_malformed: "Elija un color.", "Choose a colour.";
    timezone: "Zona horaria", "Time zone";
    timezone_usual: "La de la instalación", "The installation's";
    company_language: "Idioma de los folios", "Language of folios";
    company_language_hint: "El de la hoja de firmas y la constancia, y el de los mensajes a los firmantes que no hayan elegido otro. Vale para los folios nuevos; quien crea un folio puede elegir otro.",
        "That of the signature sheet and the evidence, and of messages to signers who have chosen no other. It counts for new folios; their creators can choose another.";
    company_language_malformed: "Elija un idioma de la lista.", "Choose a language of the list.";
    legal_basis: "Base legal de la firma", "Legal basis of the signature";
    legal_basis_hint: "La ley que nombran la hoja de firmas y la constancia de los folios nuevos. Vacío: Ley 527 de 1999 y Decreto 2364 de 2012 (Colombia).",
        "The law that the signature sheet and the evidence of new folios name. Empty: Ley 527 de 1999 y Decreto 2364 de 2012 (Colombia).";
    legal_basis_malformed: "Escriba la ley en una línea de 200 caracteres como máximo.", "Enter the law in one line of 200 characters at most.";
    timezone_malformed: "Elija una zona de la lista.", "Choose a zone of the list.";
    company_folios: "Folios", "Folios";
    approval: "Los folios firmados esperan la aprobación de una persona que supervisa", "Signed folios wait for a supervisor's approval";
    company_people: "Personas", "People";
    second_factor_demanded: "Todas las personas de la empresa usan la verificación en dos pasos", "Everybody of the company uses two-step verification";
    second_factor_demanded_hint: "Quien no la tiene la activa al entrar, y antes no puede hacer nada más. También vale para las sesiones que ya están abiertas.",
        "Those without it set it up when they sign in, and can do nothing else before. It counts for sessions that are open already, too.";
    second_factor_own_first: "Active primero su propia verificación en dos pasos, en «Mi cuenta».", "Turn on your own two-step verification first, in “My account”.";
    folio_days: "Días para firmar un folio nuevo", "Days to sign a new folio";
    folio_days_hint: "Después ya no se puede firmar. Vacío: el plazo de la instalación.", "Afterwards it can no longer be signed. Empty: the installation's.";
    read_to_end: "Pedir que cada documento se lea hasta la última página (o se descargue) antes de enviar el código", "Ask for each document to be read to its last page (or downloaded) before a code is sent";
    picture: "Firma dibujada o escrita", "Drawn or typed signature";
    picture_hint: "Aparece en la hoja de firmas. Es solo ilustrativa: lo que prueba la firma es el código. Los documentos que llegan con firmas no tienen hoja.",
        "It is shown on the signature sheet. It is an illustration only: what proves the signature is the code. Documents that come with signatures have no sheet.";
    picture_off: "No se pide", "Not asked for";
    picture_optional: "Opcional", "Optional";
    picture_required: "Obligatoria", "Required";
    picture_malformed: "Elija una opción de la lista.", "Choose one of the list.";
    auto_return: "Después de firmar, volver automáticamente a la dirección de retorno", "After signing, return to the return address automatically";
    company_reminders: "Recordatorios", "Reminders";
    company_reminders_lead: "Un correo a quienes no han firmado, en la mañana (9:00, hora de la empresa). No se envía a quien ya firmó, ni a una dirección a la que no llegan los correos, ni en los folios que no envían correos. Vale también para los folios que ya están pendientes.",
        "An email to those who have not signed, in the morning (9:00, the company's time). None goes to those who have signed, to an address that emails do not reach, or about folios that send no emails. It counts for folios that are pending already, too.";
    reminder_first: "Primer recordatorio, en días", "First reminder, in days";
    reminder_first_hint: "Después de crear el folio. Vacío: no se recuerda.", "After the folio was created. Empty: there is none.";
    reminder_every: "Cada cuántos días se repite", "Days after which it is repeated";
    reminder_every_hint: "Vacío: no se repite.", "Empty: it is not repeated.";
    reminder_max: "Máximo de recordatorios", "Reminders at the most";
    reminder_max_hint: "De cada folio, sin contar el de antes de vencer. Vacío: 3.", "Of each folio, without the one before it expires. Empty: 3.";
    reminder_before: "Recordar antes de vencer, en días", "Remind before it expires, in days";
    reminder_before_hint: "Solo en los folios que vencen. Vacío: no se recuerda.", "Only of folios that expire. Empty: there is none.";
    reminder_days_malformed: "Escriba un número de días entre 1 y 365, o nada.", "Enter a number of days between 1 and 365, or nothing.";
    reminder_max_malformed: "Escriba un número entre 1 y 20, o nada.", "Enter a number between 1 and 20, or nothing.";
    reminder_first_missing: "Para repetir, escriba cuándo va el primero.", "To repeat it, enter when the first one goes.";
    company_contact: "Contacto para los firmantes", "Contact for signers";
    company_contact_lead: "Aparece en las páginas y los correos cuando un firmante no puede seguir. Vacío: no aparece.",
        "It is shown on pages and in emails when a signer cannot go on. Empty: it is not shown.";
    contact_name: "Persona o área", "Person or department";
    contact_email: "Correo", "Email";
    contact_phone: "Teléfono", "Phone";
    contact_name_malformed: "Escriba un nombre de 200 caracteres como máximo.", "Enter a name of 200 characters at most.";
    contact_phone_malformed: "Use entre 7 y 40 caracteres: números, espacios, guiones, paréntesis y +.", "Use 7 to 40 characters: digits, blanks, hyphens, parentheses and +.";
    retention_days: "Días que se conserva un folio terminado", "Days a finished folio is kept";
    retention_days_hint: "Después se retira: queda su historial, pero sus documentos ya no se descargan. Vacío: siempre.",
        "Afterwards it is dropped: its history stays, but its documents are no longer downloaded. Empty: for ever.";
    company_erasure: "Borrado de datos personales", "Erasure of personal data";
    company_erasure_lead: "Días hasta que se borran para siempre los documentos, nombres, contactos y números de un folio. Vacío: nunca. Un folio en retención legal no se borra.",
        "Days until the documents, names, contacts and numbers of a folio are erased for ever. Empty: never. A folio under legal hold is not erased.";
    erase_signed: "Folios firmados y aprobados", "Signed and approved folios";
    erase_rejected: "Folios rechazados", "Rejected folios";
    erase_cancelled: "Folios anulados", "Cancelled folios";
    erase_pending: "Folios pendientes", "Pending folios";
    erase_since_change: "Desde el último cambio del folio. Los que esperan aprobación no se borran.", "Since the folio's last change. Those that wait to be approved are not erased.";
    erase_pending_hint: "Desde su creación. Se anulan sin aviso a los firmantes, y se borran.", "Since their creation. They are cancelled without a word to the signers, and erased.";
    erasure_lead: "Los documentos y datos personales de los folios más antiguos se empezarán a borrar en el próximo minuto.",
        "The documents and personal data of the older folios will begin to be erased within a minute.";
    erasure_sure: "Guardar y borrar los más antiguos", "Save and erase the older ones";
    days_malformed: "Escriba un número de días entre 1 y 36500, o nada.", "Enter a number of days between 1 and 36500, or nothing.";
    origins: "Sitios que pueden mostrar las páginas de firma dentro de las suyas", "Sites that may show the signing pages inside their own";
    origins_hint: "Uno por línea, como https://portal.example.com. Vacío: ninguno.", "One a line, such as https://portal.example.com. Empty: none.";
    origins_many: "Son demasiados: 20 como máximo.", "There are too many: 20 at most.";
    company_saved: "Se guardaron los cambios.", "The changes were saved.";
    company_saved_darker: "Se guardaron los cambios. El color se oscureció para que se pueda leer.", "The changes were saved. The colour was darkened so that it can be read.";
    logo: "Logo", "Logo";
    logo_hint: "PNG o JPEG, de 256 KB y 2000 píxeles por lado como máximo.", "PNG or JPEG, 256 KB and 2000 pixels a side at most.";
    logo_now: "Logo actual", "Current logo";
    logo_file: "Archivo", "File";
    logo_save: "Subir el logo", "Upload the logo";
    logo_remove: "Eliminar el logo", "Remove the logo";
    logo_remove_title: "¿Eliminar el logo?", "Remove the logo?";
    logo_remove_lead: "Desaparece de las páginas de firma. Para volver a mostrarlo tendrá que subirlo otra vez.",
        "It goes from the signing pages. To show it again you will have to upload it again.";
    retention_title: "¿Conservar los folios menos tiempo?", "Keep folios for less time?";
    retention_sure: "Guardar y retirar los más antiguos", "Save and drop the older ones";
    logo_saved: "Se guardó el logo.", "The logo was saved.";
    logo_removed: "Se eliminó el logo.", "The logo was removed.";
    logo_missing: "Elija un archivo.", "Choose a file.";
    logo_heavy: "El archivo pesa más de 256 KB.", "The file has more than 256 KB.";
    logo_large: "La imagen tiene más de 2000 píxeles por lado.", "The picture has more than 2000 pixels a side.";
    logo_malformed: "El archivo no es una imagen PNG o JPEG, o está dañado.", "The file is not a PNG or JPEG picture, or is damaged.";
}

// What the previews show: pages, emails and sheets speak the language of the folio.
texts! {
    preview_go: "Continuar", "Continue", "Continuar";
    preview_read: "Leer y firmar", "Read and sign", "Ler e assinar";
    preview_signatures: "Hoja de firmas", "Signature sheet", "Folha de assinaturas";
    preview_sent_by: "Enviado por", "Sent by", "Enviado por";
    preview_time: "Fecha y hora", "Date and time", "Data e hora";
    preview_legal_basis: "Base legal", "Legal basis", "Base legal";
    preview_questions: "¿Preguntas? Comuníquese con:", "Questions? Contact:", "Dúvidas? Fale com:";
}

impl PanelLang {
    pub(crate) fn retention_lead(self, days: &str) -> String {
        match self {
            Self::Es => format!(
                "Los folios que terminaron hace más de {days} días se retirarán en la próxima hora: queda su historial, pero sus documentos ya no se descargan."
            ),
            Self::En => format!(
                "Folios that ended more than {days} days ago will be dropped within the hour: their histories stay, but their documents are no longer downloaded."
            ),
        }
    }

    pub(crate) fn origin_malformed(self, text: &str) -> String {
        let text: String = text.chars().take(100).collect();
        match self {
            Self::Es => format!("«{text}» no es un sitio como https://portal.example.com."),
            Self::En => format!("“{text}” is not a site such as https://portal.example.com."),
        }
    }
}
