//! What the report says in Portuguese.

use super::Texts;
use domain::Language;

pub(super) const PORTUGUESE: Texts = Texts {
    language: Language::Portuguese,
    eyebrow: "Relatório",
    title: "Relatório de assinatura eletrônica",
    page: "Página {number} de {count}",
    reference: "Processo {id}",
    introduction: "Este relatório reúne o que o serviço registrou sobre “{folio}”: os documentos, a quem se pediu a \
                   assinatura, o que cada pessoa fez, quando e de onde.",

    summary: "Resumo por signatário",
    signer: "Signatário",
    invited: "Convite",
    opened: "Abriu",
    accepted: "Aceitou",
    code: "Código",
    signed: "Assinou",
    rejected_at: "Recusou: {time}",
    summary_part: "O resumo abrange somente os eventos desta parte.",

    process: "Processo de assinatura",
    subject: "Assunto",
    folio: "ID do processo",
    sent_by: "Enviado por",
    sender_person: "{company}: {name} (pessoa, no painel)",
    sender_system: "{company}: {name} (sistema, por sua chave de API)",
    state: "Situação",
    signature_type: "Meio de verificação",
    observation: "Observação",
    created: "Criado em",
    made: "Relatório gerado em",
    service: "Serviço",
    verification: "Verificação",

    what_is_proved: "O que foi verificado",
    legal_level: "Nível legal",
    legal_level_text: "Assinatura eletrônica: {basis}. O seu método de identificação é um código de uso único. Não é uma \
                       assinatura digital com certificado de uma autoridade certificadora credenciada{article}.",
    legal_level_article: " (Ley 527 de 1999, artigo 28)",
    checked: "Verificado",
    checked_email: "Quem assinou ou recusou digitou antes o código de uso único que foi enviado ao e-mail aqui indicado.",
    checked_sms: "Quem assinou ou recusou digitou antes o código de uso único que foi enviado ao celular aqui indicado.",
    unchecked: "Não verificado",
    unchecked_text: "O nome e o documento de identidade de cada signatário são os declarados por quem enviou os documentos: o \
                     serviço não os comparou com nenhum registro. O dispositivo, o navegador e o idioma são os que o navegador \
                     informa.",
    time: "Hora",
    time_text: "Fuso horário {zone}. {clock}",
    clock_system: "A hora de cada evento é a do relógio do servidor.",
    clock_sandbox: "O relógio deste ambiente de testes foi adiantado: a hora dos eventos não é a real.",
    timestamps: "Carimbos do tempo",
    timestamps_own: "Os das assinaturas, dos documentos e deste relatório foram emitidos pela autoridade da própria \
                     instalação, não por um terceiro.",
    timestamps_others: "Os dos documentos, que abrangem cada assinatura, foram emitidos por {names}; o deste relatório, pela \
                        autoridade da própria instalação.",

    documents: "Documentos",
    identifier: "Identificador",
    as_sent: "Como foi enviado",
    as_now: "Como está agora",
    bytes: "{count} bytes",
    sha256: "SHA-256",

    signers: "Signatários",
    document: "Documento",
    email: "E-mail",
    mobile: "Celular",
    acted_at: "Data e hora",
    ip_address: "Endereço IP",
    browser: "Navegador",
    way: "Meio de verificação",
    way_text: "Código por {channel} para {to}",
    accepted_text: "Texto aceito",
    accepted_text_reference: "versão {version}, hash {hash}",
    unknown: "desconhecida",

    story: "O que aconteceu",
    part_of_history: "O histórico tem {length} eventos; aqui são relatados {shown}. Este relatório é uma parte: as outras são \
                      baixadas no mesmo lugar.",
    messages_without_event: "Outras mensagens",
    consents: "Textos aceitos",
    version: "Versão {version}",
    no_signature: "Ninguém assinou ainda.",
    unknown_consent: "O texto aceito não é um dos que este programa conhece; o seu hash está no histórico.",
    consent_elsewhere: "O texto aceito não está nesta parte do histórico: está na que contém a assinatura.",
    annex: "Anexo: hashes e certificados",
    annex_lead: "O hash de cada evento depende do hash do evento anterior: se um mudasse, mudariam os hashes de todos os \
                 seguintes. Todos são SHA-256.",
    certificates_of_signers: "Certificado de cada assinatura",
    events_hashes: "Eventos",
    code_hash: "Código {code}: hash {hash}",
    code_revealed: "Código {code}: {digits}, sal {salt}",
    service_certificates: "Certificados do serviço",
    evidence_hash: "Evidência",
    verifying: "Como verificar este relatório",
    verifying_steps: [
        "Este documento tem a assinatura eletrônica do serviço com carimbo do tempo e, dentro dele, a raiz dos seus certificados \
         e as listas dos revogados: qualquer leitor de PDF mostra se ele mudou. Traz também, como arquivo anexo, a mesma \
         informação em JSON com o seu próprio selo.",
        "A raiz dos certificados é baixada da instalação: curl -O {service}/authority/root.crt. Compare o hash dela com o deste \
         relatório por outro meio.",
        "Com o programa firmeza, sem conexão, na pasta com os arquivos como são baixados:",
        "Sem ele, o guia para auditores, em espanhol (e ali também em inglês), explica cada passo com openssl, pyHanko, qpdf \
         e jq: {service}/docs/auditores.",
    ],

    states: [
        ("pending", "Aguardando assinaturas"),
        ("signed", "Assinado por todos"),
        ("rejected_by_signer", "Recusado por um signatário"),
        ("approved", "Assinado e aprovado"),
        ("disapproved", "Assinado e recusado pela empresa"),
        ("cancelled", "Cancelado"),
    ],
    signature_types: [
        ("email_code", "Código de uso único por e-mail"),
        ("sms_code", "Código de uso único por SMS"),
    ],
    signer_states: [
        ("pending", "Pendente"),
        ("signed", "Assinou"),
        ("rejected", "Recusou"),
    ],
    roles: [
        ("root", "Raiz"),
        ("issuer", "Emissor"),
        ("service", "Serviço"),
        ("time_stamping", "Carimbo do tempo"),
    ],
    channels: [("email", "e-mail"), ("sms", "SMS")],
    servers: [("email", "ao servidor de e-mail"), ("sms", "ao gateway de SMS")],
    templates: [
        ("invitation", "o convite para assinar"),
        ("reminder", "o lembrete"),
        ("cancelled", "o aviso de cancelamento"),
        ("rejected", "o aviso de recusa"),
        ("receipt", "o comprovante de assinatura"),
        ("completed", "o aviso de que todos assinaram"),
        ("contact_changed", "o aviso de mudança de contato"),
        ("other_contact", "o aviso de assinatura em lote com outro contato"),
        ("code", "o código de uso único"),
    ],
    repairs: [
        ("actions", "foram retirados ações e programas"),
        ("hidden", "foi retirado conteúdo que não aparece em suas páginas"),
        ("structure", "a sua estrutura foi corrigida"),
    ],
    message_states: [
        ("waiting", "em espera"),
        ("superseded", "não enviado: já não era necessário"),
        ("dead", "não foi possível entregar"),
    ],

    erased: "(apagado)",
    withheld: "(reservado)",
    document_named: "“{name}”",
    a_document: "um documento",
    by_system: ", pelo sistema de {company}",
    by_person: ", por {who}",
    from_address: ", do endereço IP {address}",
    reports_itself: "O navegador informa: {device}",
    languages: "idiomas: {languages}",
    drew: "Desenhou uma assinatura que aparece na folha. É ilustrativa: não faz parte da prova",
    typed_picture: "Digitou o nome como assinatura na folha: “{text}”. É ilustrativa: não faz parte da prova",
    shown: "Páginas de {document} que foram mostradas: {shown} de {pages}",
    downloaded_too: "; além disso, o arquivo foi baixado",
    other_contact: "Com outro contato: {contact}",
    number_corrected: "Número do documento antes: {before}; agora: {now}",
    repaired: "Um documento foi reparado ao ser recebido: {repair}. Hash do arquivo enviado: {hash}",
    code_name: "Código {code}",
    message: "{template} por {channel} para {to}, com data de {created}: {state}",
    events: [
        ("created", "O processo de assinatura foi criado"),
        ("resent", "O convite para {name} foi reenviado a {to}"),
        (
            "resent_corrected",
            "O convite para {name} foi reenviado a {to}, com o contato corrigido",
        ),
        ("downloaded", "{document} foi baixado"),
        ("evidence_downloaded", "O relatório foi baixado"),
        (
            "code_sent",
            "Foi gerado um código de uso único para {name}, por {channel}, para {to}",
        ),
        (
            "code_refused",
            "{name} digitou um código incorreto; tentativas que restavam: {left}",
        ),
        (
            "identified",
            "{name} se identificou com o número do seu documento",
        ),
        ("opened", "{name} abriu {document}"),
        (
            "end_reached",
            "A última página de {document} foi mostrada a {name}",
        ),
        ("accepted", "{name} aceitou assinar eletronicamente"),
        ("freed", "Foi permitido a {name} pedir códigos de novo"),
        (
            "signed",
            "{name} assinou com o código recebido por {channel} em {to}",
        ),
        (
            "delivered",
            "Entregue {server}: {template} para {name}, por {channel}, para {to}",
        ),
        (
            "delivered_mailbox",
            "Colocado na caixa de testes: {template} para {name}, por {channel}, para {to}",
        ),
        (
            "undelivered",
            "Não foi possível entregar {template} para {name}, a {to}",
        ),
        (
            "undelivered_given_up",
            "Não foi possível entregar {template} para {name}, a {to}; não se tentou mais",
        ),
        (
            "bounced",
            "Um servidor de e-mail informou que uma mensagem para {name} não chegou: {to}",
        ),
        (
            "complained",
            "O provedor de e-mail informou que {name} marcou uma mensagem como indesejada: {to}",
        ),
        (
            "extended",
            "Os documentos receberam carimbos do tempo e dados de revogação",
        ),
        (
            "rejected",
            "{name} recusou os documentos com o código recebido por {channel} em {to}",
        ),
        ("completed", "Todos assinaram: o processo está completo"),
        ("cancelled", "O processo de assinatura foi cancelado"),
        ("approved", "A empresa aprovou os documentos assinados"),
        ("disapproved", "A empresa recusou os documentos assinados"),
        ("dropped", "Os documentos foram retirados"),
        ("corrected", "Os dados de {name} foram corrigidos"),
        ("erased", "Os documentos e os dados pessoais foram apagados"),
        ("hold_placed", "O processo foi colocado em retenção legal"),
        ("hold_lifted", "A retenção legal foi levantada"),
        ("bulk_started", "Foi iniciada uma assinatura em lote para {name}"),
    ],
};
