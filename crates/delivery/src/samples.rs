//! A message of every kind, with something in every place: what templates are tried with.

use domain::{
    AccountEmailKind, BulkId, Channel, CompanyId, DocumentId, FileName, FolioId, HistoryHead, Language,
    SignatureType, SignerIndex, Template, Timestamp,
};
use store::{
    AccountEmailRow, CompanyContact, LeasedAccountEmail, LeasedMessage, MessageRow, ReturnedMessage,
    SignedDocument, SignedFolio,
};

/// Every message there is.
pub const ALL: [(Template, Channel); 12] = [
    (Template::Invitation, Channel::Email),
    (Template::Reminder, Channel::Email),
    (Template::Code, Channel::Email),
    (Template::Code, Channel::Sms),
    (Template::Cancelled, Channel::Email),
    (Template::Rejected, Channel::Email),
    (Template::Receipt, Channel::Email),
    (Template::Completed, Channel::Email),
    (Template::ContactChanged, Channel::Email),
    (Template::ContactChanged, Channel::Sms),
    (Template::OtherContact, Channel::Email),
    (Template::OtherContact, Channel::Sms),
];

/// A sample of that message.
pub fn leased(template: Template, channel: Channel) -> LeasedMessage {
    LeasedMessage {
        seq: MessageRow(42),
        attempt: 1,
        template,
        channel,
        recipient: match channel {
            Channel::Email => "maria@example.com".to_owned(),
            Channel::Sms => "+573001234567".to_owned(),
        },
        created_at: Timestamp::from_micros(1_772_461_800_000_000),
        retried_at: None,
        code: None,
        secret: None,
        superseded: false,
        misdirected: false,
        bounces: false,
        folio: FolioId::from_bytes([0x0f; 16]),
        signer: SignerIndex(0),
        signer_name: "María Pérez".to_owned(),
        folio_name: "Contrato de arrendamiento".to_owned(),
        folio_message: "Buenos días.\nPor favor revise la cláusula 3.5 y firme.".to_owned(),
        observation: Some("El valor acordado era otro.\nSe enviará un contrato nuevo.".to_owned()),
        signature_type: SignatureType::SmsCode,
        documents: 2,
        company_id: CompanyId(1),
        company: "Inmobiliaria Ñandú".to_owned(),
        colour: None,
        language: Language::Spanish,
        contact: CompanyContact {
            name: "Servicio al cliente".to_owned(),
            email: "ayuda@nandu.example".to_owned(),
            phone: "601 345 6789".to_owned(),
        },
        timezone: Some("America/Bogota".to_owned()),
        expires_at: Some(Timestamp::from_micros(1_773_066_600_000_000)),
        history: HistoryHead {
            length: 17,
            hash: [0xab; 32],
        },
        bulk: None,
        about: match template {
            Template::Receipt | Template::Completed => vec![signed_folio(1)],
            _ => Vec::new(),
        },
        others: Vec::new(),
    }
}

/// A folio that the recipient signed.
fn signed_folio(number: u8) -> SignedFolio {
    let document = |id: u8, name: &str| SignedDocument {
        id: DocumentId::from_bytes([id; 16]),
        name: FileName::new(name),
        size: 40_000,
    };
    SignedFolio {
        folio: FolioId::from_bytes([number; 16]),
        signer: SignerIndex(0),
        name: "Contrato de arrendamiento".to_owned(),
        documents: vec![document(1, "contrato.pdf"), document(2, "inventario.pdf")],
        signed_at: Some(Timestamp::from_micros(1_772_461_800_000_000)),
        complete: true,
        pending: false,
        email_proven: true,
        history: HistoryHead {
            length: 17,
            hash: [0xab; 32],
        },
    }
}

/// The same about a bulk signature.
pub fn of_bulk(template: Template, channel: Channel) -> LeasedMessage {
    LeasedMessage {
        bulk: Some((BulkId::from_bytes([0x0b; 16]), 12)),
        ..leased(template, channel)
    }
}

/// The same about three folios that were signed at once, of which one lacks other signatures.
pub fn of_several(template: Template) -> LeasedMessage {
    let folios = (1..=3).map(|number| SignedFolio {
        name: format!("Otrosí {number}"),
        complete: template == Template::Completed || number < 3,
        pending: template != Template::Completed && number == 3,
        ..signed_folio(number)
    });
    LeasedMessage {
        about: folios.collect(),
        ..leased(template, Channel::Email)
    }
}

/// Every email to a panel user.
pub const ACCOUNT_EMAILS: [AccountEmailKind; 9] = [
    AccountEmailKind::FirstPassword,
    AccountEmailKind::AccountExists,
    AccountEmailKind::NewPassword,
    AccountEmailKind::PasswordChanged,
    AccountEmailKind::SecondFactorOff,
    AccountEmailKind::RecoveryCodesRenewed,
    AccountEmailKind::CompanySignIn,
    AccountEmailKind::MessageUndelivered,
    AccountEmailKind::MessageComplained,
];

/// A sample of that email.
pub fn account_email(kind: AccountEmailKind) -> LeasedAccountEmail {
    LeasedAccountEmail {
        seq: AccountEmailRow(7),
        attempt: 1,
        kind,
        recipient: "luisa@example.com".to_owned(),
        name: "Luisa Gómez".to_owned(),
        secret: None,
        created_at: Timestamp::from_micros(1_772_461_800_000_000),
        company: "Inmobiliaria Ñandú".to_owned(),
        colour: Some("#7a1f5c".to_owned()),
        language: Language::Spanish,
        about: matches!(
            kind,
            AccountEmailKind::MessageUndelivered | AccountEmailKind::MessageComplained
        )
        .then(|| ReturnedMessage {
            folio: FolioId::from_bytes([0x0f; 16]),
            folio_name: "Contrato de arrendamiento".to_owned(),
            signer_name: "María Pérez".to_owned(),
            channel: Channel::Email,
            recipient: "maria@example.com".to_owned(),
        }),
    }
}
