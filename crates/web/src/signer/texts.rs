//! What the pages say, in both languages side by side. Sentences with values in them are in `sentences.rs`.

use crate::page::texts;

// The frame of every page.
texts! {
    brand: "Firma electrónica", "Electronic signature";
    next_step: "Siguiente paso", "Next step";
    skip: "Ir al contenido", "Skip to content";
    steps: "Pasos para firmar", "Steps to sign";
    step_read: "Leer", "Read";
    step_accept: "Aceptar", "Accept";
    step_code: "Código", "Code";
    step_done: "Listo", "Done";
    step_past: "hecho", "done";
    footer: "Su firma queda protegida dentro del documento. Cualquier cambio posterior se nota.",
        "Your signature is protected inside the document. Any later change shows.";
    contact_title: "¿Necesita ayuda? Comuníquese con:", "Do you need help? Contact:";
    try_again: "Intentar de nuevo", "Try again";
}

// Identification.
texts! {
    identify_title: "Identifíquese para continuar", "Identify yourself to continue";
    identify_lead: "Escriba los datos de su documento de identidad, tal como los dio a quien le pidió la firma. Así sabemos que los documentos son para usted.",
        "Enter your identity document as you gave it to whoever asked for your signature. That is how we know the documents are for you.";
    document_type: "Tipo de documento", "Type of document";
    document_number: "Número de documento", "Document number";
    number_hint: "Como aparece en su documento.", "As it appears on your document.";
    continue_: "Continuar", "Continue";
    identifying: "Buscando…", "Looking…";
    citizen_card: "Cédula de ciudadanía (CC)", "Citizen's card (CC)";
    foreigner_card: "Cédula de extranjería (CE)", "Foreigner's card (CE)";
    tax_number: "NIT", "Tax number (NIT)";
    minor_card: "Tarjeta de identidad (TI)", "Minor's card (TI)";
    number_missing: "Escriba el número de su documento.", "Enter your document number.";
    number_malformed: "Use solo letras, números, puntos y guiones.", "Use letters, digits, dots and hyphens only.";
    not_a_signer: "No encontramos a nadie con esos datos entre los firmantes. Revise el tipo y el número.",
        "We found nobody with those details among the signers. Check the type and the number.";
}

// The reader.
texts! {
    reader: "Lectura de los documentos", "Reading the documents";
    contents: "Índice", "Contents";
    find: "Buscar", "Search";
    find_label: "Palabras que busca en los documentos", "Words to look for in the documents";
    find_title: "Buscar en los documentos", "Search the documents";
    find_short: "Escriba al menos dos letras.", "Write at least two letters.";
    find_none: "Ninguna página tiene esas palabras. El texto de una imagen no se puede buscar.", "No page has those words. The text of an image cannot be searched.";
    find_more: "Buscar en las páginas siguientes", "Search the next pages";
    page: "Página", "Page";
    close: "Cerrar", "Close";
    smaller: "Alejar", "Zoom out";
    larger: "Acercar", "Zoom in";
    page_broken: "Esta página no se pudo cargar.", "This page could not be loaded.";
    retry: "Reintentar", "Try again";
}

// Reading and accepting.
texts! {
    signs: "Firmante:", "Signer:";
    download: "Descargar el PDF", "Download the PDF";
    zoom_hint: "Toque una página para verla más grande.", "Tap a page to see it larger.";
    consent_title: "Su aceptación", "Your consent";
    consent_label: "Leí los documentos y acepto firmarlos electrónicamente", "I have read the documents and agree to sign them electronically";
    consent_lead: "Al marcar la casilla, usted acepta:", "By ticking the box you accept:";
    consent_missing: "Marque la casilla para continuar.", "Tick the box to continue.";
    consent_next: "Continuar", "Continue";
    accepted: "Usted aceptó:", "You have agreed to this:";
    read_to_end_asked: "Para recibir el código hay que ver cada documento hasta su última página, o descargarlo.", "To get the code, each document must be seen to its last page, or downloaded.";
    send_by_email: "Recibir el código por correo", "Get the code by email";
    send_by_sms: "Recibir el código por SMS", "Get the code by text message";
    send_both: "Recibir los códigos", "Get the codes";
    sending: "Enviando el código…", "Sending the code…";
    have_code: "Ya tengo un código", "I already have a code";
}

// The code.
texts! {
    code_title: "Escriba el código", "Enter the code";
    codes_title: "Escriba los dos códigos", "Enter both codes";
    code_lead: "Es la última confirmación de que es usted quien firma.", "It is the last check that it is you who signs.";
    code_label: "Código de 6 dígitos", "6-digit code";
    email_code_label: "Código que llegó por correo", "Code received by email";
    sms_code_label: "Código que llegó por SMS", "Code received by text message";
    code_malformed: "El código tiene 6 dígitos. Revíselo y escríbalo de nuevo.", "The code has 6 digits. Check it and enter it again.";
    code_gone: "Ese código ya no sirve. Pida uno nuevo.", "That code no longer works. Ask for a new one.";
    code_late: "El código venció. Pida uno nuevo.", "The code has expired. Ask for a new one.";
    code_spent: "El código ya no se puede usar, después de varios intentos incorrectos. Pida uno nuevo.",
        "The code can no longer be used, after several wrong tries. Ask for a new one.";
    code_lost: "No se pudo entregar el código; avise a quien le pidió la firma.", "The code could not be delivered; tell whoever asked for your signature.";
    code_not_yet: "Aún no hemos enviado un código.", "No code has been sent yet.";
    code_needed: "Pida un código nuevo", "Ask for a new code";
    resend_now: "Ya puede pedir otro.", "You can ask for another now.";
    resend: "Enviar un código nuevo", "Send a new code";
    resend_both: "Enviar códigos nuevos", "Send new codes";
    resend_hint_email: "¿No llega? Mire también en correo no deseado.", "Not there? Look in your spam folder too.";
    resend_hint_sms: "¿No llega? Revise que el celular tenga señal.", "Not there? Check that your phone has signal.";
    wrong_contact: "Si ese no es su correo o su celular, avise a quien le pidió la firma: puede corregirlo.",
        "If that is not your email or phone, tell whoever asked for your signature: they can correct it.";
    see_again: "Ver de nuevo los documentos", "See the documents again";
    sign: "Firmar", "Sign";
    signing: "Firmando…", "Signing…";
}

// Rejecting.
texts! {
    reject_title: "No quiero firmar", "I do not want to sign";
    reject_lead: "Si rechaza, nadie más podrá firmar estos documentos y no se puede deshacer. Quien le pidió la firma verá su motivo.",
        "If you reject, nobody else can sign these documents and it cannot be undone. Whoever asked for your signature will see your reason.";
    reject_confirm_title: "¿Rechazar los documentos?", "Reject the documents?";
    reject_confirm: "Sí, quiero rechazar estos documentos", "Yes, I want to reject these documents";
    reject_unconfirmed: "Marque la casilla si quiere rechazar.", "Tick the box if you want to reject.";
    reject_back: "No, volver a los documentos", "No, back to the documents";
    reject_label: "¿Por qué no firma?", "Why will you not sign?";
    reject_hint: "Entre 10 y 500 caracteres.", "Between 10 and 500 characters.";
    reject: "Rechazar los documentos", "Reject the documents";
    rejecting: "Rechazando…", "Rejecting…";
    reason_short: "Cuéntenos un poco más: al menos 10 caracteres.", "Tell us a little more: at least 10 characters.";
    reason_long: "El motivo es muy largo: como máximo 500 caracteres.", "The reason is too long: at most 500 characters.";
    reason_characters: "El motivo tiene caracteres que no se pueden guardar.", "The reason has characters that cannot be kept.";
}

// Showing that the contact is one's own, and leaving.
texts! {
    prove_title: "Confirme que es usted", "Confirm that it is you";
    prove_lead: "Para proteger sus documentos, le enviamos un código al contacto que dio quien le pidió la firma. Escríbalo aquí para continuar.",
        "To protect your documents, we send a code to the contact given by whoever asked for your signature. Enter it here to go on.";
    prove: "Continuar", "Continue";
    proving: "Comprobando…", "Checking…";
    session_ending: "Su sesión está por terminar, porque la página no se ha usado.", "Your session is about to end, because the page was not used.";
    session_idle: "Su sesión terminó. Nada se ha perdido.", "Your session is over. Nothing is lost.";
    session_stay: "Seguir aquí", "Stay here";
    end_session: "Cerrar sesión", "Sign out";
    signed_out_title: "Usted cerró la sesión", "You have signed out";
    signed_out_lead: "Nadie puede seguir desde este navegador sin abrir otra vez el enlace.", "Nobody can go on in this browser without opening the link again.";
}

// Done.
texts! {
    done_title: "Listo, usted firmó", "Done, you have signed";
    done_again: "Usted ya firmó", "You have already signed";
    done_all: "Todas las firmas están completas.", "All signatures are complete.";
    your_copy: "Su copia firmada", "Your signed copy";
    copy_pending: "La copia lleva las firmas hechas hasta ahora.", "The copy carries the signatures made so far.";
    signed_cancelled: "Después de su firma, quien la pidió anuló el proceso. Su copia y su constancia siguen aquí.",
        "After you signed, whoever asked for your signature cancelled the process. Your copy and your evidence stay here.";
    signed_rejected_other: "Otro firmante rechazó los documentos, y el proceso terminó sin completarse. Su copia y su constancia siguen aquí.",
        "Another signer rejected the documents, and the process ended incomplete. Your copy and your evidence stay here.";
    verify_copy: "Verificar", "Verify";
    stay_here: "Quedarme aquí", "Stay here";
    evidence: "Constancia de la firma", "Evidence of the signature";
    keep: "Guarde una copia. Puede comprobarla cuando quiera.", "Keep a copy. You can check it at any time.";
}

// Bulk signatures.
texts! {
    bulk_title: "Documentos por firmar", "Documents to sign";
    bulk_lead: "Revise los documentos y fírmelos todos con una sola confirmación.", "Look through the documents and sign them all with one confirmation.";
    bulk_consent: "Leí los documentos pendientes y acepto firmarlos electrónicamente", "I have read the pending documents and agree to sign them electronically";
    bulk_none: "No queda nada por firmar aquí", "Nothing is left to sign here";
    bulk_none_lead: "Nada de esta lista se puede firmar ya. Abajo está el estado de cada documento.", "Nothing on this list can be signed any more. The state of each document is below.";
    state_pending: "Por firmar", "To sign";
    state_signed: "Firmado por usted", "Signed by you";
    state_rejected: "Rechazado por usted", "Rejected by you";
    state_rejected_other: "Rechazado por otra persona", "Rejected by somebody else";
    state_cancelled: "Anulado", "Cancelled";
    state_expired: "Vencido", "Expired";
    state_gone: "Ya no está disponible", "No longer available";
    see_document: "Ver el documento", "See the document";
    reject_one: "No quiero firmar este", "I do not want to sign this one";
    reject_one_label: "¿Por qué no firma este?", "Why will you not sign this one?";
    reject_this: "Rechazar este", "Reject this one";
    back_to_list: "Volver a la lista", "Back to the list";
    bulk_rejected: "Se registró su rechazo.", "Your rejection was recorded.";
}

// Pages that cannot be shown, and other messages.
texts! {
    page_doubtful: "Esta página puede no verse completa aquí. Descargue el PDF para verla tal como es.",
        "This page may not be shown whole here. Download the PDF to see it as it is.";
    page_failed: "Esta página no se puede mostrar aquí. Descargue el PDF para verla.",
        "This page cannot be shown here. Download the PDF to see it.";
    page_unavailable: "Este documento no está disponible en este momento. No se puede firmar hasta que lo esté.",
        "This document is not available right now. It cannot be signed until it is.";
    page_busy: "Hay muchas personas leyendo. Intente de nuevo en un momento.", "Many people are reading. Try again in a moment.";
    text_none: "Esta página no tiene texto que se pueda leer: puede ser una imagen.", "This page has no text that can be read; it may be an image.";
    text_partial: "Parte del texto de esta página no se pudo leer. El PDF lo contiene completo.",
        "Part of this page's text could not be read. The PDF has all of it.";
    signed_lead: "Su firma está registrada.", "Your signature is on record.";
    see_copy: "Ver mi copia", "See my copy";
    see_documents: "Volver a los documentos", "Back to the documents";
    bulk_signed_title: "Su firma está registrada", "Your signature is on record";
    bulk_signed_lead: "Abajo están sus copias y el estado de cada documento.", "Your copies and the state of each document are below.";
    rejected_title: "Usted rechazó los documentos", "You rejected the documents";
    rejected_lead: "Quien le pidió la firma ya lo sabe. No tiene que hacer nada más.", "Whoever asked for your signature has been told. There is nothing else to do.";
    your_reason: "Su motivo", "Your reason";
    rejected_other_title: "Estos documentos fueron rechazados", "These documents were rejected";
    rejected_other_lead: "Uno de los firmantes no los aceptó, así que ya no se pueden firmar.", "One of the signers did not accept them, so they can no longer be signed.";
    cancelled_title: "Estos documentos fueron anulados", "These documents were cancelled";
    cancelled_lead: "Quien le pidió la firma los anuló. No tiene que hacer nada.", "Whoever asked for your signature cancelled them. There is nothing to do.";
    expired_title: "El plazo para firmar terminó", "The time to sign is over";
    expired_lead: "Si todavía necesita firmar, pida un enlace nuevo a quien se lo envió.", "If you still need to sign, ask whoever sent it to you for a new link.";
    locked_title: "La firma está en pausa por seguridad", "Signing is paused for safety";
    locked_lead: "Ya se enviaron todos los códigos que se pueden pedir en un día. Sus documentos están a salvo.", "All the codes that can be asked for in a day were sent. Your documents are safe.";
    locked_way: "Si es urgente, comuníquese con quien le envió los documentos.",
        "If it is urgent, contact whoever sent you the documents.";
    bulk_locked_way: "Este enlace no recibe más códigos hoy. Si es urgente, comuníquese con quien le pidió la firma.",
        "This link takes no more codes today. If it is urgent, contact whoever asked for your signature.";
    wrong_link_title: "Este enlace no funciona", "This link does not work";
    wrong_link_lead: "Puede que se haya cortado al copiarlo. Ábralo directamente desde el mensaje que recibió, o pida que se lo envíen de nuevo.",
        "It may have been cut when it was copied. Open it straight from the message you received, or ask for it to be sent again.";
    session_over_title: "Su sesión terminó", "Your session is over";
    session_over_lead: "Por seguridad, la página se cierra tras 15 minutos sin uso o cuando algo cambia. Nada se ha perdido.",
        "For safety, the page closes after 15 minutes without use or when something changes. Nothing is lost.";
    session_over_button: "Pulse el botón para seguir donde estaba.", "Press the button to go on where you were.";
    session_over_way: "Para seguir, abra otra vez el enlace del mensaje que recibió.", "To go on, open the link in your message again.";
    too_often_title: "Espere un momento", "Wait a moment";
    too_often_lead: "Hubo muchos intentos seguidos.", "There were many attempts in a row.";
    overloaded_title: "El servicio está muy ocupado", "The service is very busy";
    overloaded_lead: "Nada se ha perdido. Intente de nuevo en unos segundos.", "Nothing is lost. Try again in a few seconds.";
    unconfirmed_title: "No sabemos si quedó guardado", "We do not know whether it was saved";
    unconfirmed_lead: "El servicio no alcanzó a confirmarlo. Vuelva a esta página en un minuto: mostrará si ya quedó hecho o si falta repetirlo.",
        "The service could not confirm it in time. Come back to this page in a minute: it will show whether it was done or must be repeated.";
    document_unavailable_title: "Un documento no está disponible", "A document is not available";
    document_unavailable_lead: "En este momento uno de los documentos no está completo, y sin él no se puede firmar. Su firma sigue pendiente. Intente más tarde; si continúa, avise a quien le pidió la firma.",
        "We cannot find one of the documents whole right now, and nothing is signed without it. Your signature is still pending. Try later; if it goes on, tell whoever asked for your signature.";
    documents_checked_title: "Estamos comprobando los documentos", "The documents are being checked";
    documents_checked_lead: "Son grandes, y antes de firmar comprobamos que estén completos. Nada se ha perdido. Intente de nuevo en unos segundos.",
        "They are large: before you sign we check that they are whole. Nothing is lost. Try again in a few seconds.";
    internal_title: "Algo falló de nuestro lado", "Something failed on our side";
    internal_lead: "Nada se ha perdido. Intente de nuevo; si sigue fallando, dé este código a quien le pidió la firma:",
        "Nothing is lost. Try again; if it keeps failing, give this code to whoever asked for your signature:";
    broken_history_title: "El historial de estos documentos está dañado", "The history of these documents is damaged";
    broken_history_lead: "No es el que el servicio escribió, y por eso no entregamos una constancia. Avise a quien le pidió la firma, y conserve los correos que recibió.",
        "It is not the one that the service wrote, so we hand out no certificate of it. Tell whoever asked for your signature, and keep the emails you got.";
    gone_title: "Estos documentos ya no están disponibles", "These documents are no longer available";
    gone_lead: "Si necesita una copia, pídala a quien se los envió.", "If you need a copy, ask whoever sent them to you.";
    not_found_title: "Esta página no existe", "This page does not exist";
    bulk_over_title: "Este enlace venció", "This link has expired";
    bulk_over_lead: "Sirve durante 24 horas. Lo que ya firmó sigue firmado; para el resto, pida un enlace nuevo.",
        "It works for 24 hours. What you have signed stays signed; for the rest, ask for a new link.";
}
