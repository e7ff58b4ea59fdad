//! What the pages say, in every language side by side. Sentences with values in them are in `sentences.rs`.

use crate::page::texts;

// The frame of every page.
texts! {
    brand: "Firma electrónica", "Electronic signature", "Assinatura eletrônica";
    next_step: "Siguiente paso", "Next step", "Próximo passo";
    language_: "Idioma", "Language", "Idioma";
    skip: "Ir al contenido", "Skip to content", "Ir para o conteúdo";
    steps: "Pasos para firmar", "Steps to sign", "Etapas da assinatura";
    step_read: "Leer", "Read", "Ler";
    step_accept: "Aceptar", "Accept", "Aceitar";
    step_code: "Código", "Code", "Código";
    step_done: "Listo", "Done", "Pronto";
    step_past: "hecho", "done", "concluído";
    footer: "Su firma queda protegida dentro del documento. Cualquier cambio posterior se detecta.",
        "Your signature is protected inside the document. Any later change shows.",
        "A sua assinatura fica protegida dentro do documento. Qualquer alteração posterior será detectada.";
    contact_title: "¿Necesita ayuda? Comuníquese con:", "Do you need help? Contact:", "Precisa de ajuda? Fale com:";
    try_again: "Intentar de nuevo", "Try again", "Tentar de novo";
    copy: "Copiar", "Copy", "Copiar";
    copied: "Copiado", "Copied", "Copiado";
    copy_failed: "No se pudo copiar", "Could not be copied", "Não foi possível copiar";

    // Identification.
    identify_title: "Identifíquese para continuar", "Identify yourself to continue", "Identifique-se para continuar";
    identify_lead: "Escriba los datos de su documento de identidad, tal como los dio a quien le pidió la firma. Así sabemos que los documentos son para usted.",
        "Enter your identity document as you gave it to whoever asked for your signature. That is how we know the documents are for you.",
        "Digite os dados do seu documento de identidade, como os informou a quem pediu a sua assinatura. Assim sabemos que os documentos são para você.";
    document_type: "Tipo de documento", "Type of document", "Tipo de documento";
    document_number: "Número de documento", "Document number", "Número do documento";
    number_hint: "Como aparece en su documento.", "As it appears on your document.", "Como aparece no seu documento.";
    continue_: "Continuar", "Continue", "Continuar";
    identifying: "Buscando…", "Looking…", "Procurando…";
    citizen_card: "Cédula de ciudadanía (CC)", "Citizen's card (CC)", "Cédula de cidadania colombiana (CC)";
    foreigner_card: "Cédula de extranjería (CE)", "Foreigner's card (CE)", "Cédula de estrangeiro (CE)";
    tax_number: "NIT", "Tax number (NIT)", "Número tributário (NIT)";
    minor_card: "Tarjeta de identidad (TI)", "Minor's card (TI)", "Cartão de identidade de menor (TI)";
    number_missing: "Escriba el número de su documento.",
        "Enter your document number.",
        "Digite o número do seu documento.";
    number_malformed: "Use solo letras, números, puntos y guiones.",
        "Use letters, digits, dots and hyphens only.",
        "Use somente letras, números, pontos e hífens.";
    not_a_signer: "No encontramos a nadie con esos datos entre los firmantes. Revise el tipo y el número.",
        "We found nobody with those details among the signers. Check the type and the number.",
        "Não encontramos ninguém com esses dados entre os signatários. Confira o tipo e o número.";

    // The reader.
    reader: "Lectura de los documentos", "Reading the documents", "Leitura dos documentos";
    contents: "Índice", "Contents", "Índice";
    find: "Buscar", "Search", "Buscar";
    find_label: "Palabras que busca en los documentos",
        "Words to look for in the documents",
        "Palavras que você procura nos documentos";
    find_title: "Buscar en los documentos", "Search the documents", "Buscar nos documentos";
    find_short: "Escriba al menos dos letras.", "Write at least two letters.", "Digite pelo menos duas letras.";
    find_none: "Ninguna página tiene esas palabras. El texto de una imagen no se puede buscar.",
        "No page has those words. The text of an image cannot be searched.",
        "Nenhuma página tem essas palavras. Não é possível buscar o texto de uma imagem.";
    find_more: "Buscar en las páginas siguientes", "Search the next pages", "Buscar nas páginas seguintes";
    page: "Página", "Page", "Página";
    close: "Cerrar", "Close", "Fechar";
    smaller: "Alejar", "Zoom out", "Diminuir";
    larger: "Acercar", "Zoom in", "Ampliar";
    page_broken: "Esta página no se pudo cargar.",
        "This page could not be loaded.",
        "Não foi possível carregar esta página.";
    retry: "Reintentar", "Try again", "Tentar de novo";

    // Reading and accepting.
    signs: "Firmante:", "Signer:", "Signatário:";
    download: "Descargar el PDF", "Download the PDF", "Baixar o PDF";
    zoom_hint: "Toque una página para verla más grande.",
        "Tap a page to see it larger.",
        "Toque em uma página para ampliá-la.";
    consent_title: "Su aceptación", "Your consent", "A sua aceitação";
    consent_label: "Pude leer los documentos y acepto firmarlos electrónicamente",
        "I was able to read the documents and agree to sign them electronically",
        "Pude ler os documentos e concordo em assiná-los eletronicamente";
    consent_lead: "Al marcar la casilla, usted acepta:",
        "By ticking the box you accept:",
        "Ao marcar a caixa, você aceita:";
    consent_missing: "Marque la casilla para continuar.",
        "Tick the box to continue.",
        "Marque a caixa para continuar.";
    consent_next: "Continuar", "Continue", "Continuar";
    accepted: "Usted aceptó:", "You have agreed to this:", "Você aceitou:";
    read_to_end_asked: "Para recibir el código hay que ver cada documento hasta su última página, o descargarlo.",
        "To get the code, each document must be seen to its last page, or downloaded.",
        "Para receber o código, é preciso ver cada documento até a última página ou baixá-lo.";
    send_by_email: "Recibir el código por correo", "Get the code by email", "Receber o código por e-mail";
    send_by_sms: "Recibir el código por SMS", "Get the code by text message", "Receber o código por SMS";
    send_both: "Recibir los códigos", "Get the codes", "Receber os códigos";
    sending: "Enviando el código…", "Sending the code…", "Enviando o código…";
    have_code: "Ya tengo un código", "I already have a code", "Já tenho um código";

    // The code.
    code_title: "Escriba el código", "Enter the code", "Digite o código";
    codes_title: "Escriba los dos códigos", "Enter both codes", "Digite os dois códigos";
    code_lead: "Es la última confirmación de que es usted quien firma.",
        "It is the last check that it is you who signs.",
        "É a última confirmação de que é você quem assina.";
    code_label: "Código de 6 dígitos", "6-digit code", "Código de 6 dígitos";
    email_code_label: "Código que llegó por correo", "Code received by email", "Código recebido por e-mail";
    sms_code_label: "Código que llegó por SMS", "Code received by text message", "Código recebido por SMS";
    code_malformed: "El código tiene 6 dígitos. Revíselo y escríbalo de nuevo.",
        "The code has 6 digits. Check it and enter it again.",
        "O código tem 6 dígitos. Confira e digite de novo.";
    optional: "opcional", "optional", "opcional";
    picture_label: "Su firma en la hoja", "Your signature on the sheet", "A sua assinatura na folha";
    picture_lead: "Así se verá en la hoja de firmas. Es solo ilustrativa: lo que prueba su firma es el código.",
        "This is how it looks on the signature sheet. It is an illustration only: what proves your signature is the code.",
        "É assim que aparecerá na folha de assinaturas. É apenas ilustrativa: o que prova a sua assinatura é o código.";
    picture_draw: "Dibújela con el dedo o el mouse:", "Draw it with a finger or the mouse:", "Desenhe com o dedo ou o mouse:";
    picture_type: "O escriba su nombre:", "Or type your name:", "Ou digite o seu nome:";
    picture_type_alone: "Escriba su nombre:", "Type your name:", "Digite o seu nome:";
    picture_pad: "Área para dibujar la firma", "Area to draw the signature", "Área para desenhar a assinatura";
    picture_clear: "Borrar el dibujo", "Clear the drawing", "Apagar o desenho";
    picture_missing: "Dibuje su firma o escriba su nombre.",
        "Draw your signature or type your name.",
        "Desenhe a sua assinatura ou digite o seu nome.";
    picture_malformed: "No pudimos leer el dibujo. Dibújelo otra vez, o escriba su nombre.",
        "The drawing could not be read. Draw it again, or type your name.",
        "Não foi possível ler o desenho. Desenhe de novo ou digite o seu nome.";
    picture_name_malformed: "Escriba su nombre en 60 letras como máximo.",
        "Type your name in 60 letters at most.",
        "Digite o seu nome em 60 letras no máximo.";
    code_gone: "Ese código ya no sirve. Pida uno nuevo.",
        "That code no longer works. Ask for a new one.",
        "Esse código não vale mais. Peça um novo.";
    code_late: "El código venció. Pida uno nuevo.",
        "The code has expired. Ask for a new one.",
        "O código expirou. Peça um novo.";
    code_spent: "El código ya no se puede usar, después de varios intentos incorrectos. Pida uno nuevo.",
        "The code can no longer be used, after several wrong tries. Ask for a new one.",
        "O código não pode mais ser usado, depois de várias tentativas incorretas. Peça um novo.";
    code_lost: "No se pudo entregar el código; avise a quien le pidió la firma.",
        "The code could not be delivered; tell whoever asked for your signature.",
        "Não foi possível entregar o código; avise quem pediu a sua assinatura.";
    code_not_yet: "Aún no hemos enviado un código.", "No code has been sent yet.", "Ainda não enviamos um código.";
    code_needed: "Pida un código nuevo", "Ask for a new code", "Peça um novo código";
    resend_now: "Ya puede pedir otro.", "You can ask for another now.", "Você já pode pedir outro.";
    resend: "Enviar un código nuevo", "Send a new code", "Enviar um novo código";
    resend_both: "Enviar códigos nuevos", "Send new codes", "Enviar novos códigos";
    resend_hint_email: "¿No llega? Mire también en el correo no deseado.",
        "Not there? Look in your spam folder too.",
        "Não chegou? Veja também a caixa de spam.";
    resend_hint_sms: "¿No llega? Revise que el celular tenga señal.",
        "Not there? Check that your phone has signal.",
        "Não chegou? Verifique se o celular tem sinal.";
    wrong_contact: "Si ese no es su correo o su celular, avise a quien le pidió la firma: puede corregirlo.",
        "If that is not your email or phone, tell whoever asked for your signature: they can correct it.",
        "Se esse não é o seu e-mail ou o seu celular, avise quem pediu a sua assinatura, que pode corrigi-lo.";
    see_again: "Ver de nuevo los documentos", "See the documents again", "Ver os documentos de novo";
    sign: "Firmar", "Sign", "Assinar";
    signing: "Firmando…", "Signing…", "Assinando…";

    // Rejecting.
    reject_title: "No quiero firmar", "I do not want to sign", "Não quero assinar";
    reject_lead: "Si rechaza, nadie más podrá firmar estos documentos y no se puede deshacer. Quien le pidió la firma verá su motivo.",
        "If you reject, nobody else can sign these documents and it cannot be undone. Whoever asked for your signature will see your reason.",
        "Se você recusar, ninguém mais poderá assinar estes documentos, e isso não pode ser desfeito. Quem pediu a sua assinatura verá o motivo.";
    reject_confirm_title: "¿Rechazar los documentos?", "Reject the documents?", "Recusar os documentos?";
    reject_confirm: "Sí, quiero rechazar estos documentos",
        "Yes, I want to reject these documents",
        "Sim, quero recusar estes documentos";
    reject_unconfirmed: "Marque la casilla si quiere rechazar.",
        "Tick the box if you want to reject.",
        "Marque a caixa se quiser recusar.";
    reject_back: "No, volver a los documentos", "No, back to the documents", "Não, voltar aos documentos";
    reject_label: "¿Por qué no firma?", "Why will you not sign?", "Por que você não assina?";
    reject_hint: "Entre 10 y 500 caracteres.", "Between 10 and 500 characters.", "Entre 10 e 500 caracteres.";
    reject: "Rechazar los documentos", "Reject the documents", "Recusar os documentos";
    rejecting: "Rechazando…", "Rejecting…", "Recusando…";
    reason_short: "Cuéntenos un poco más: al menos 10 caracteres.",
        "Tell us a little more: at least 10 characters.",
        "Conte um pouco mais: pelo menos 10 caracteres.";
    reason_long: "El motivo es muy largo: como máximo 500 caracteres.",
        "The reason is too long: at most 500 characters.",
        "O motivo é muito longo: no máximo 500 caracteres.";
    reason_characters: "El motivo tiene caracteres que no se pueden guardar.",
        "The reason has characters that cannot be kept.",
        "O motivo tem caracteres que não podem ser guardados.";

    // Showing that the contact is one's own, and leaving.
    prove_title: "Confirme que es usted", "Confirm that it is you", "Confirme que é você";
    prove_lead: "Para proteger sus documentos, confirme que es usted con un código que enviamos al contacto que dio quien le pidió la firma.",
        "To protect your documents, confirm that it is you with a code that we send to the contact given by whoever asked for your signature.",
        "Para proteger os seus documentos, confirme que é você com um código que enviamos ao contato informado por quem pediu a sua assinatura.";
    prove: "Continuar", "Continue", "Continuar";
    proving: "Comprobando…", "Checking…", "Verificando…";
    session_ending: "Su sesión está por terminar, porque la página no se ha usado.",
        "Your session is about to end, because the page was not used.",
        "A sua sessão está prestes a terminar, porque a página não foi usada.";
    session_idle: "Su sesión terminó. Nada se ha perdido.",
        "Your session is over. Nothing is lost.",
        "A sua sessão terminou. Nada foi perdido.";
    session_stay: "Seguir aquí", "Stay here", "Continuar aqui";
    end_session: "Cerrar sesión", "Sign out", "Encerrar a sessão";
    signed_out_title: "Usted cerró la sesión", "You have signed out", "Você encerrou a sessão";
    signed_out_lead: "Nadie puede seguir desde este navegador sin abrir otra vez el enlace.",
        "Nobody can go on in this browser without opening the link again.",
        "Ninguém pode continuar neste navegador sem abrir o link de novo.";

    // Done.
    done_title: "Listo, usted firmó", "Done, you have signed", "Pronto, você assinou";
    done_again: "Usted ya firmó", "You have already signed", "Você já assinou";
    will_write: "Le avisaremos por correo cuando todos hayan firmado.",
        "We will write to you when everybody has signed.",
        "Avisaremos por e-mail quando todos tiverem assinado.";
    done_all: "Todas las firmas están completas.",
        "All signatures are complete.",
        "Todas as assinaturas estão completas.";
    your_copy: "Su copia firmada", "Your signed copy", "A sua cópia assinada";
    copy_pending: "La copia incluye las firmas hechas hasta ahora.",
        "The copy carries the signatures made so far.",
        "A cópia traz as assinaturas feitas até agora.";
    signed_cancelled: "Después de su firma, quien la pidió anuló el proceso. Su copia y su constancia siguen aquí.",
        "After you signed, whoever asked for your signature cancelled the process. Your copy and your evidence stay here.",
        "Depois da sua assinatura, quem a pediu cancelou o processo. A sua cópia e o seu relatório continuam aqui.";
    signed_rejected_other: "Otro firmante rechazó los documentos, y el proceso terminó sin completarse. Su copia y su constancia siguen aquí.",
        "Another signer rejected the documents, and the process ended incomplete. Your copy and your evidence stay here.",
        "Outro signatário recusou os documentos, e o processo terminou incompleto. A sua cópia e o seu relatório continuam aqui.";
    verify_copy: "Verificar", "Verify", "Verificar";
    stay_here: "Quedarme aquí", "Stay here", "Ficar aqui";
    evidence: "Constancia de la firma", "Evidence of the signature", "Relatório da assinatura";
    evidence_json: "Evidencia para programas (JSON)",
        "Evidence for programs (JSON)",
        "Evidência para programas (JSON)";
    keep: "Guarde una copia. Puede verificarla cuando quiera.",
        "Keep a copy. You can verify it at any time.",
        "Guarde uma cópia. Você pode verificá-la quando quiser.";

    // Bulk signatures.
    bulk_title: "Documentos por firmar", "Documents to sign", "Documentos para assinar";
    bulk_lead: "Revise los documentos y fírmelos todos con una sola confirmación.",
        "Look through the documents and sign them all with one confirmation.",
        "Confira os documentos e assine todos com uma única confirmação.";
    bulk_consent: "Pude leer los documentos pendientes y acepto firmarlos electrónicamente",
        "I was able to read the pending documents and agree to sign them electronically",
        "Pude ler os documentos pendentes e concordo em assiná-los eletronicamente";
    bulk_none: "No queda nada por firmar aquí", "Nothing is left to sign here", "Não há mais nada para assinar aqui";
    bulk_none_lead: "Ya no se puede firmar nada de esta lista. Abajo está el estado de cada documento.",
        "Nothing on this list can be signed any more. The state of each document is below.",
        "Nada desta lista pode mais ser assinado. Abaixo está a situação de cada documento.";
    state_pending: "Por firmar", "To sign", "Para assinar";
    state_signed: "Firmado por usted", "Signed by you", "Assinado por você";
    state_rejected: "Rechazado por usted", "Rejected by you", "Recusado por você";
    state_rejected_other: "Rechazado por otra persona", "Rejected by somebody else", "Recusado por outra pessoa";
    state_cancelled: "Anulado", "Cancelled", "Cancelado";
    state_expired: "Vencido", "Expired", "Vencido";
    state_gone: "Ya no está disponible", "No longer available", "Não está mais disponível";
    see_document: "Ver el documento", "See the document", "Ver o documento";
    reject_one: "No quiero firmar este", "I do not want to sign this one", "Não quero assinar este";
    reject_one_label: "¿Por qué no firma este?", "Why will you not sign this one?", "Por que você não assina este?";
    reject_this: "Rechazar este", "Reject this one", "Recusar este";
    back_to_list: "Volver a la lista", "Back to the list", "Voltar à lista";
    bulk_rejected: "Se registró su rechazo.", "Your rejection was recorded.", "A sua recusa foi registrada.";

    // Pages that cannot be shown, and other messages.
    page_doubtful: "Esta página puede no verse completa aquí. Descargue el PDF para verla tal como es.",
        "This page may not be shown whole here. Download the PDF to see it as it is.",
        "Esta página pode não aparecer completa aqui. Baixe o PDF para vê-la como é.";
    page_failed: "Esta página no se puede mostrar aquí. Descargue el PDF para verla.",
        "This page cannot be shown here. Download the PDF to see it.",
        "Não é possível mostrar esta página aqui. Baixe o PDF para vê-la.";
    page_unavailable: "Este documento no está disponible en este momento. No se puede firmar hasta que lo esté.",
        "This document is not available right now. It cannot be signed until it is.",
        "Este documento não está disponível no momento. Não pode ser assinado até que esteja.";
    page_busy: "Hay muchas personas leyendo. Intente de nuevo en un momento.",
        "Many people are reading. Try again in a moment.",
        "Há muitas pessoas lendo. Tente de novo em um instante.";
    text_none: "Esta página no tiene texto que se pueda leer: puede ser una imagen.",
        "This page has no text that can be read; it may be an image.",
        "Esta página não tem texto que se possa ler: pode ser uma imagem.";
    text_partial: "Parte del texto de esta página no se pudo leer. El PDF lo contiene completo.",
        "Part of this page's text could not be read. The PDF has all of it.",
        "Não foi possível ler parte do texto desta página. O PDF o contém completo.";
    signed_lead: "Su firma está registrada.", "Your signature is on record.", "A sua assinatura está registrada.";
    see_copy: "Ver mi copia", "See my copy", "Ver a minha cópia";
    see_documents: "Volver a los documentos", "Back to the documents", "Voltar aos documentos";
    bulk_signed_title: "Su firma está registrada", "Your signature is on record", "A sua assinatura está registrada";
    bulk_signed_lead: "Abajo están sus copias y el estado de cada documento.",
        "Your copies and the state of each document are below.",
        "Abaixo estão as suas cópias e a situação de cada documento.";
    rejected_title: "Usted rechazó los documentos", "You rejected the documents", "Você recusou os documentos";
    rejected_lead: "Quien le pidió la firma ya lo sabe. No tiene que hacer nada más.",
        "Whoever asked for your signature has been told. There is nothing else to do.",
        "Quem pediu a sua assinatura já foi avisado. Você não precisa fazer mais nada.";
    your_reason: "Su motivo", "Your reason", "O seu motivo";
    rejected_other_title: "Estos documentos fueron rechazados",
        "These documents were rejected",
        "Estes documentos foram recusados";
    rejected_other_lead: "Uno de los firmantes no los aceptó, así que ya no se pueden firmar.",
        "One of the signers did not accept them, so they can no longer be signed.",
        "Um dos signatários não os aceitou, por isso não podem mais ser assinados.";
    cancelled_title: "Estos documentos fueron anulados",
        "These documents were cancelled",
        "Estes documentos foram cancelados";
    cancelled_lead: "Quien le pidió la firma los anuló. No tiene que hacer nada.",
        "Whoever asked for your signature cancelled them. There is nothing to do.",
        "Quem pediu a sua assinatura os cancelou. Você não precisa fazer nada.";
    expired_title: "El plazo para firmar terminó", "The time to sign is over", "O prazo para assinar terminou";
    expired_lead: "Si todavía necesita firmar, pida un enlace nuevo a quien se lo envió.",
        "If you still need to sign, ask whoever sent it to you for a new link.",
        "Se você ainda precisa assinar, peça um novo link a quem o enviou.";
    locked_title: "La firma está en pausa por seguridad",
        "Signing is paused for safety",
        "A assinatura está em pausa por segurança";
    locked_lead: "Ya se enviaron todos los códigos que se pueden pedir en un día. Sus documentos están a salvo.",
        "All the codes that can be asked for in a day were sent. Your documents are safe.",
        "Já foram enviados todos os códigos que podem ser pedidos em um dia. Os seus documentos estão protegidos.";
    locked_way: "Si es urgente, comuníquese con quien le envió los documentos.",
        "If it is urgent, contact whoever sent you the documents.",
        "Se for urgente, fale com quem enviou os documentos.";
    bulk_locked_way: "Este enlace no recibe más códigos hoy. Si es urgente, comuníquese con quien le pidió la firma.",
        "This link takes no more codes today. If it is urgent, contact whoever asked for your signature.",
        "Este link não recebe mais códigos hoje. Se for urgente, fale com quem pediu a sua assinatura.";
    wrong_link_title: "Este enlace no funciona", "This link does not work", "Este link não funciona";
    wrong_link_lead: "Puede que se haya cortado al copiarlo. Ábralo directamente desde el mensaje que recibió, o pida que se lo envíen de nuevo.",
        "It may have been cut when it was copied. Open it straight from the message you received, or ask for it to be sent again.",
        "Talvez tenha sido cortado ao ser copiado. Abra-o diretamente na mensagem que você recebeu ou peça que o enviem de novo.";
    session_over_title: "Su sesión terminó", "Your session is over", "A sua sessão terminou";
    session_over_lead: "Por seguridad, la página se cierra tras 15 minutos sin uso o cuando algo cambia. Nada se ha perdido.",
        "For safety, the page closes after 15 minutes without use or when something changes. Nothing is lost.",
        "Por segurança, a página é encerrada após 15 minutos sem uso ou quando algo muda. Nada foi perdido.";
    session_over_button: "Presione el botón para seguir donde estaba.",
        "Press the button to go on where you were.",
        "Toque no botão para continuar de onde parou.";
    session_over_way: "Para seguir, abra otra vez el enlace del mensaje que recibió.",
        "To go on, open the link in your message again.",
        "Para continuar, abra de novo o link da mensagem que você recebeu.";
    too_often_title: "Espere un momento", "Wait a moment", "Aguarde um instante";
    too_often_lead: "Hubo muchos intentos seguidos.",
        "There were many attempts in a row.",
        "Houve muitas tentativas seguidas.";
    overloaded_title: "El servicio está muy ocupado", "The service is very busy", "O serviço está muito ocupado";
    overloaded_lead: "Nada se ha perdido. Intente de nuevo en unos segundos.",
        "Nothing is lost. Try again in a few seconds.",
        "Nada foi perdido. Tente de novo em alguns segundos.";
    unconfirmed_title: "No sabemos si quedó guardado",
        "We do not know whether it was saved",
        "Não sabemos se foi salvo";
    unconfirmed_lead: "El servicio no alcanzó a confirmarlo. Vuelva a esta página en un minuto: le mostrará si se guardó o si debe repetirlo.",
        "The service could not confirm it in time. Come back to this page in a minute: it will show whether it was done or must be repeated.",
        "O serviço não conseguiu confirmar a tempo. Volte a esta página em um minuto: ela mostrará se já foi feito ou se é preciso repetir.";
    document_unavailable_title: "Un documento no está disponible",
        "A document is not available",
        "Um documento não está disponível";
    document_unavailable_lead: "En este momento uno de los documentos no está completo, y sin él no se puede firmar. Su firma sigue pendiente. Intente más tarde; si continúa, avise a quien le pidió la firma.",
        "One of the documents is not complete right now, and nothing can be signed without it. Your signature is still pending. Try later; if it goes on, tell whoever asked for your signature.",
        "No momento um dos documentos não está completo, e sem ele não é possível assinar. A sua assinatura continua pendente. Tente mais tarde; se continuar assim, avise quem pediu a sua assinatura.";
    documents_checked_title: "Estamos comprobando los documentos",
        "The documents are being checked",
        "Estamos verificando os documentos";
    documents_checked_lead: "Son grandes, y antes de firmar comprobamos que estén completos. Nada se ha perdido. Intente de nuevo en unos segundos.",
        "They are large: before you sign we check that they are whole. Nothing is lost. Try again in a few seconds.",
        "São grandes, e antes de assinar verificamos se estão completos. Nada foi perdido. Tente de novo em alguns segundos.";
    internal_title: "Algo falló de nuestro lado", "Something failed on our side", "Algo falhou do nosso lado";
    internal_lead: "Nada se ha perdido. Intente de nuevo; si sigue fallando, dé este número de referencia a quien le pidió la firma:",
        "Nothing is lost. Try again; if it keeps failing, give this reference number to whoever asked for your signature:",
        "Nada foi perdido. Tente de novo; se continuar falhando, informe este número de referência a quem pediu a sua assinatura:";
    broken_history_title: "El historial de estos documentos está dañado",
        "The history of these documents is damaged",
        "O histórico destes documentos está danificado";
    broken_history_lead: "No es el que el servicio escribió, y por eso no entregamos una constancia. Avise a quien le pidió la firma, y conserve los correos que recibió.",
        "It is not the one that the service wrote, so we hand out no evidence of it. Tell whoever asked for your signature, and keep the emails you got.",
        "Não é o que o serviço escreveu, e por isso não entregamos um relatório. Avise quem pediu a sua assinatura e guarde os e-mails que você recebeu.";
    gone_title: "Estos documentos ya no están disponibles",
        "These documents are no longer available",
        "Estes documentos não estão mais disponíveis";
    gone_lead: "Si necesita una copia, pídala a quien se los envió.",
        "If you need a copy, ask whoever sent them to you.",
        "Se você precisa de uma cópia, peça-a a quem os enviou.";
    not_found_title: "Esta página no existe", "This page does not exist", "Esta página não existe";
    bulk_over_title: "Este enlace venció", "This link has expired", "Este link venceu";
    bulk_over_lead: "Sirve durante 24 horas. Lo que ya firmó sigue firmado; para el resto, pida un enlace nuevo.",
        "It works for 24 hours. What you have signed stays signed; for the rest, ask for a new link.",
        "Vale por 24 horas. O que você já assinou continua assinado; para o restante, peça um novo link.";
}
