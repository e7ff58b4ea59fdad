//! What emails to panel users say, in every language. A value stands in a text as `{name}`, and what an email stresses
//! between two asterisks.

use domain::{AccountEmailKind, Language};

/// The texts of an email. What is empty is left out.
#[derive(Debug, Default)]
pub(super) struct AccountTexts {
    pub(super) subject: &'static str,
    pub(super) title: &'static str,
    pub(super) preview: &'static str,
    /// The first sentence, before the button.
    pub(super) lead: &'static str,
    /// What the button says.
    pub(super) button: &'static str,
    /// What plain text says before the link.
    pub(super) call: &'static str,
    pub(super) after: &'static [&'static str],
    pub(super) small: &'static str,
    /// Why the email was sent.
    pub(super) why: &'static str,
}

impl AccountTexts {
    pub(super) const fn of(kind: AccountEmailKind, language: Language) -> Self {
        match language {
            Language::Spanish => spanish(kind),
            Language::English => english(kind),
            Language::Portuguese => portuguese(kind),
        }
    }
}

#[expect(clippy::too_many_lines, reason = "each email has its texts")]
const fn spanish(kind: AccountEmailKind) -> AccountTexts {
    const WHY: &str = "Recibe este correo porque usted tiene una cuenta en el panel de firmas de {company}.";
    const WHY_SENT: &str =
        "Recibe este correo porque usted envió ese folio desde el panel de firmas de {company}.";
    match kind {
        AccountEmailKind::FirstPassword => AccountTexts {
            subject: "Su acceso al panel de firmas de {company}",
            title: "Su acceso al panel de firmas",
            preview: "{company} le dio acceso a su panel de firmas.",
            lead: "*{company}* le dio acceso a su panel de firmas.",
            button: "Activar mi cuenta",
            call: "Active su cuenta aquí:",
            after: &[
                "El enlace sirve durante {minutes} minutos y una sola vez. Si venció, pida otro en la página de ingreso, con «Olvidé mi contraseña».",
            ],
            small: "Este enlace es solo para usted. Por favor, no lo reenvíe.",
            why: "Recibe este correo porque {company} usa Firmeza para la firma electrónica. Si no lo esperaba, no tiene que hacer nada.",
        },
        AccountEmailKind::AccountExists => AccountTexts {
            subject: "{company} quiso darle acceso a su panel de firmas",
            title: "{company} quiso darle acceso a su panel de firmas",
            preview: "No se pudo: este correo ya tiene una cuenta.",
            lead: "*{company}* quiso darle acceso a su panel de firmas, pero este correo ya tiene una cuenta en el panel de otra empresa, y cada correo sirve para una sola. No se cambió nada; {company} no sabe de esa cuenta.",
            button: "",
            call: "",
            after: &[
                "Si quiere entrar también al panel de {company}, pida que lo inviten a otro correo suyo. Si no, no tiene que hacer nada.",
            ],
            small: "",
            why: "Recibe este correo porque {company} escribió su dirección al invitarlo a su panel de firmas.",
        },
        AccountEmailKind::NewPassword => AccountTexts {
            subject: "Elija una contraseña nueva",
            title: "Elija una contraseña nueva",
            preview: "Alguien pidió cambiar su contraseña del panel de firmas.",
            lead: "Alguien, quizá usted, pidió una contraseña nueva para entrar al panel de firmas de *{company}*.",
            button: "Elegir una contraseña",
            call: "Elíjala aquí:",
            after: &[
                "El enlace sirve durante {minutes} minutos y una sola vez.",
                "*Si usted no lo pidió, no haga nada:* su contraseña sigue siendo la misma.",
            ],
            small: "",
            why: "Recibe este correo porque alguien escribió esta dirección en la página de ingreso del panel de {company}.",
        },
        AccountEmailKind::PasswordChanged => AccountTexts {
            subject: "Su contraseña cambió",
            title: "Su contraseña cambió",
            preview: "La contraseña de su cuenta en el panel de firmas cambió.",
            lead: "La contraseña con la que usted entra al panel de firmas de *{company}* cambió, y las sesiones que estaban abiertas en otros navegadores se cerraron.",
            button: "",
            call: "",
            after: &[
                "*Si no fue usted,* avise de inmediato a quien administra el panel en su empresa, y pida una contraseña nueva en la página de ingreso, con «Olvidé mi contraseña».",
            ],
            small: "",
            why: WHY,
        },
        AccountEmailKind::SecondFactorOff => AccountTexts {
            subject: "Su verificación en dos pasos se desactivó",
            title: "Su verificación en dos pasos se desactivó",
            preview: "Para entrar a su cuenta en el panel de firmas ahora basta la contraseña.",
            lead: "La verificación en dos pasos de su cuenta en el panel de firmas de *{company}* se desactivó: para entrar ahora basta la contraseña. Las sesiones que estaban abiertas en otros navegadores se cerraron.",
            button: "",
            call: "",
            after: &[
                "*Si no fue usted, ni lo pidió,* avise de inmediato a quien administra el panel en su empresa, y pida una contraseña nueva en la página de ingreso, con «Olvidé mi contraseña».",
            ],
            small: "",
            why: WHY,
        },
        AccountEmailKind::RecoveryCodesRenewed => AccountTexts {
            subject: "Sus códigos de recuperación cambiaron",
            title: "Sus códigos de recuperación cambiaron",
            preview: "Su cuenta en el panel de firmas tiene códigos de recuperación nuevos.",
            lead: "Su cuenta en el panel de firmas de *{company}* tiene códigos de recuperación nuevos, y los anteriores ya no sirven. Las sesiones que estaban abiertas en otros navegadores se cerraron.",
            button: "",
            call: "",
            after: &[
                "*Si no fue usted,* avise de inmediato a quien administra el panel en su empresa, y pida una contraseña nueva en la página de ingreso, con «Olvidé mi contraseña».",
            ],
            small: "",
            why: WHY,
        },
        AccountEmailKind::MessageUndelivered => AccountTexts {
            subject: "No llegó un mensaje para {signer}",
            title: "Un mensaje no llegó",
            preview: "Un mensaje para {signer} sobre «{folio}» no se pudo entregar.",
            lead: "Un mensaje de *{company}* para *{signer}* ({contact}) no llegó. Es sobre *«{folio}»*, que usted envió desde el panel de firmas.",
            button: "Ver el folio",
            call: "Vea el folio aquí:",
            after: &[
                "El historial del folio dice qué respondió el servidor. Mientras falte la firma de esa persona, allí puede corregir su contacto y volver a enviarle la invitación.",
            ],
            small: "",
            why: WHY_SENT,
        },
        AccountEmailKind::MessageComplained => AccountTexts {
            subject: "Marcaron como no deseado un mensaje para {signer}",
            title: "Un mensaje se marcó como no deseado",
            preview: "Un mensaje para {signer} sobre «{folio}» se marcó como correo no deseado.",
            lead: "Un mensaje de *{company}* para *{signer}* ({contact}) se marcó como correo no deseado, según informó el proveedor de ese correo. Es sobre *«{folio}»*, que usted envió desde el panel de firmas.",
            button: "Ver el folio",
            call: "Vea el folio aquí:",
            after: &[
                "Puede que la dirección sea de otra persona, o que quien la lee no esperaba el mensaje. Confírmelo por otro medio antes de enviar otro.",
            ],
            small: "",
            why: WHY_SENT,
        },
        AccountEmailKind::CompanySignIn => AccountTexts {
            subject: "Cómo entrar al panel de firmas de {company}",
            title: "Entre con la cuenta de su empresa",
            preview: "En {company} se entra al panel con la cuenta de la empresa.",
            lead: "Alguien, quizá usted, pidió una contraseña para el panel de firmas de *{company}*. Allí se entra con la cuenta de la empresa, sin otra contraseña.",
            button: "Entrar al panel",
            call: "Entre aquí:",
            after: &["*Si usted no lo pidió, no haga nada.*"],
            small: "",
            why: "Recibe este correo porque alguien escribió esta dirección en la página de ingreso del panel de {company}.",
        },
    }
}

#[expect(clippy::too_many_lines, reason = "each email has its texts")]
const fn english(kind: AccountEmailKind) -> AccountTexts {
    const WHY: &str =
        "You receive this email because you have an account in the signature panel of {company}.";
    const WHY_SENT: &str =
        "You receive this email because you sent that folio from the signature panel of {company}.";
    match kind {
        AccountEmailKind::FirstPassword => AccountTexts {
            subject: "Your access to the signature panel of {company}",
            title: "Your access to the signature panel",
            preview: "{company} gave you access to its signature panel.",
            lead: "*{company}* gave you access to its signature panel.",
            button: "Activate my account",
            call: "Activate your account here:",
            after: &[
                "The link works for {minutes} minutes and once. If it has expired, ask for another on the sign-in page, with “I forgot my password”.",
            ],
            small: "This link is for you alone. Please do not forward it.",
            why: "You receive this email because {company} uses Firmeza for electronic signatures. If you did not expect it, there is nothing you have to do.",
        },
        AccountEmailKind::AccountExists => AccountTexts {
            subject: "{company} wanted to give you access to its signature panel",
            title: "{company} wanted to give you access to its signature panel",
            preview: "It was not possible: this address has an account already.",
            lead: "*{company}* wanted to give you access to its signature panel, but this address has an account in the panel of another company, and each address works for one. Nothing was changed; {company} does not know of that account.",
            button: "",
            call: "",
            after: &[
                "If you want to use the panel of {company} too, ask to be invited at another address of yours. If not, there is nothing you have to do.",
            ],
            small: "",
            why: "You receive this email because {company} entered your address when inviting you to its signature panel.",
        },
        AccountEmailKind::NewPassword => AccountTexts {
            subject: "Choose a new password",
            title: "Choose a new password",
            preview: "Somebody asked to change your password of the signature panel.",
            lead: "Somebody, perhaps you, asked for a new password to sign in to the signature panel of *{company}*.",
            button: "Choose a password",
            call: "Choose it here:",
            after: &[
                "The link works for {minutes} minutes and once.",
                "*If you did not ask for it, do nothing:* your password stays the same.",
            ],
            small: "",
            why: "You receive this email because somebody entered this address on the sign-in page of the panel of {company}.",
        },
        AccountEmailKind::PasswordChanged => AccountTexts {
            subject: "Your password has changed",
            title: "Your password has changed",
            preview: "The password of your account in the signature panel has changed.",
            lead: "The password you use to sign in to the signature panel of *{company}* has changed, and the sessions that were open in other browsers have ended.",
            button: "",
            call: "",
            after: &[
                "*If it was not you,* tell the administrator of the panel in your company at once, and ask for a new password on the sign-in page, with “I forgot my password”.",
            ],
            small: "",
            why: WHY,
        },
        AccountEmailKind::SecondFactorOff => AccountTexts {
            subject: "Your two-step verification is off",
            title: "Your two-step verification is off",
            preview: "The password alone now opens your account in the signature panel.",
            lead: "The two-step verification of your account in the signature panel of *{company}* was turned off: the password alone is now enough to sign in. The sessions that were open in other browsers have ended.",
            button: "",
            call: "",
            after: &[
                "*If it was not you, and you did not ask for it,* tell the administrator of the panel in your company at once, and ask for a new password on the sign-in page, with “I forgot my password”.",
            ],
            small: "",
            why: WHY,
        },
        AccountEmailKind::RecoveryCodesRenewed => AccountTexts {
            subject: "Your recovery codes have changed",
            title: "Your recovery codes have changed",
            preview: "Your account in the signature panel has new recovery codes.",
            lead: "Your account in the signature panel of *{company}* has new recovery codes, and the old ones no longer work. The sessions that were open in other browsers have ended.",
            button: "",
            call: "",
            after: &[
                "*If it was not you,* tell the administrator of the panel in your company at once, and ask for a new password on the sign-in page, with “I forgot my password”.",
            ],
            small: "",
            why: WHY,
        },
        AccountEmailKind::MessageUndelivered => AccountTexts {
            subject: "A message to {signer} did not arrive",
            title: "A message did not arrive",
            preview: "A message to {signer} about “{folio}” could not be delivered.",
            lead: "A message of *{company}* to *{signer}* ({contact}) did not arrive. It is about *“{folio}”*, which you sent from the signature panel.",
            button: "See the folio",
            call: "See the folio here:",
            after: &[
                "The folio's history says what the server answered. While this person's signature is missing, you can correct the contact there and send the invitation again.",
            ],
            small: "",
            why: WHY_SENT,
        },
        AccountEmailKind::MessageComplained => AccountTexts {
            subject: "A message to {signer} was marked as unwanted",
            title: "A message was marked as unwanted",
            preview: "A message to {signer} about “{folio}” was marked as unwanted email.",
            lead: "A message of *{company}* to *{signer}* ({contact}) was marked as unwanted email, as the provider of that address reported. It is about *“{folio}”*, which you sent from the signature panel.",
            button: "See the folio",
            call: "See the folio here:",
            after: &[
                "The address may be another person's, or its reader did not expect the message. Please ask in another way before you send another.",
            ],
            small: "",
            why: WHY_SENT,
        },
        AccountEmailKind::CompanySignIn => AccountTexts {
            subject: "How to sign in to the signature panel of {company}",
            title: "Sign in with your company's account",
            preview: "At {company} people sign in to the panel with the company's account.",
            lead: "Somebody, perhaps you, asked for a password for the signature panel of *{company}*. People sign in there with the company's account, without another password.",
            button: "Sign in to the panel",
            call: "Sign in here:",
            after: &["*If you did not ask for it, do nothing.*"],
            small: "",
            why: "You receive this email because somebody entered this address on the sign-in page of the panel of {company}.",
        },
    }
}

#[expect(clippy::too_many_lines, reason = "each email has its texts")]
const fn portuguese(kind: AccountEmailKind) -> AccountTexts {
    const WHY: &str = "Você recebe este e-mail porque tem uma conta no painel de assinaturas de {company}.";
    const WHY_SENT: &str =
        "Você recebe este e-mail porque enviou esse folio pelo painel de assinaturas de {company}.";
    match kind {
        AccountEmailKind::FirstPassword => AccountTexts {
            subject: "Seu acesso ao painel de assinaturas de {company}",
            title: "Seu acesso ao painel de assinaturas",
            preview: "{company} deu a você acesso ao seu painel de assinaturas.",
            lead: "*{company}* deu a você acesso ao seu painel de assinaturas.",
            button: "Ativar minha conta",
            call: "Ative sua conta aqui:",
            after: &[
                "O link funciona durante {minutes} minutos e uma única vez. Se expirou, peça outro na página de entrada (“Olvidé mi contraseña” em espanhol, “I forgot my password” em inglês).",
            ],
            small: "Este link é só para você. Por favor, não o encaminhe.",
            why: "Você recebe este e-mail porque {company} usa o Firmeza para assinatura eletrônica. Se não o esperava, não precisa fazer nada.",
        },
        AccountEmailKind::AccountExists => AccountTexts {
            subject: "{company} quis dar a você acesso ao seu painel de assinaturas",
            title: "{company} quis dar a você acesso ao seu painel de assinaturas",
            preview: "Não foi possível: este e-mail já tem uma conta.",
            lead: "*{company}* quis dar a você acesso ao seu painel de assinaturas, mas este e-mail já tem uma conta no painel de outra empresa, e cada e-mail serve para uma só. Nada foi alterado; {company} não sabe dessa conta.",
            button: "",
            call: "",
            after: &[
                "Se quiser entrar também no painel de {company}, peça um convite para outro e-mail seu. Se não, não precisa fazer nada.",
            ],
            small: "",
            why: "Você recebe este e-mail porque {company} escreveu seu endereço ao convidar você para o painel de assinaturas.",
        },
        AccountEmailKind::NewPassword => AccountTexts {
            subject: "Escolha uma senha nova",
            title: "Escolha uma senha nova",
            preview: "Alguém pediu para trocar sua senha do painel de assinaturas.",
            lead: "Alguém, talvez você, pediu uma senha nova para entrar no painel de assinaturas de *{company}*.",
            button: "Escolher uma senha",
            call: "Escolha aqui:",
            after: &[
                "O link funciona durante {minutes} minutos e uma única vez.",
                "*Se você não pediu, não faça nada:* sua senha continua a mesma.",
            ],
            small: "",
            why: "Você recebe este e-mail porque alguém escreveu este endereço na página de entrada do painel de {company}.",
        },
        AccountEmailKind::PasswordChanged => AccountTexts {
            subject: "Sua senha mudou",
            title: "Sua senha mudou",
            preview: "A senha da sua conta no painel de assinaturas mudou.",
            lead: "A senha com que você entra no painel de assinaturas de *{company}* mudou, e as sessões abertas em outros navegadores foram encerradas.",
            button: "",
            call: "",
            after: &[
                "*Se não foi você,* avise imediatamente quem administra o painel na sua empresa e peça uma senha nova na página de entrada.",
            ],
            small: "",
            why: WHY,
        },
        AccountEmailKind::SecondFactorOff => AccountTexts {
            subject: "Sua verificação em duas etapas foi desativada",
            title: "Sua verificação em duas etapas foi desativada",
            preview: "Para entrar na sua conta no painel de assinaturas agora basta a senha.",
            lead: "A verificação em duas etapas da sua conta no painel de assinaturas de *{company}* foi desativada: para entrar agora basta a senha. As sessões abertas em outros navegadores foram encerradas.",
            button: "",
            call: "",
            after: &[
                "*Se não foi você, nem você pediu,* avise imediatamente quem administra o painel na sua empresa e peça uma senha nova na página de entrada.",
            ],
            small: "",
            why: WHY,
        },
        AccountEmailKind::RecoveryCodesRenewed => AccountTexts {
            subject: "Seus códigos de recuperação mudaram",
            title: "Seus códigos de recuperação mudaram",
            preview: "Sua conta no painel de assinaturas tem códigos de recuperação novos.",
            lead: "Sua conta no painel de assinaturas de *{company}* tem códigos de recuperação novos, e os anteriores não valem mais. As sessões abertas em outros navegadores foram encerradas.",
            button: "",
            call: "",
            after: &[
                "*Se não foi você,* avise imediatamente quem administra o painel na sua empresa e peça uma senha nova na página de entrada.",
            ],
            small: "",
            why: WHY,
        },
        AccountEmailKind::MessageUndelivered => AccountTexts {
            subject: "Uma mensagem para {signer} não chegou",
            title: "Uma mensagem não chegou",
            preview: "Uma mensagem para {signer} sobre “{folio}” não pôde ser entregue.",
            lead: "Uma mensagem de *{company}* para *{signer}* ({contact}) não chegou. É sobre *“{folio}”*, que você enviou pelo painel de assinaturas.",
            button: "Ver o folio",
            call: "Veja o folio aqui:",
            after: &[
                "O histórico do folio diz o que o servidor respondeu. Enquanto faltar a assinatura dessa pessoa, lá você pode corrigir o contato e enviar o convite de novo.",
            ],
            small: "",
            why: WHY_SENT,
        },
        AccountEmailKind::MessageComplained => AccountTexts {
            subject: "Uma mensagem para {signer} foi marcada como indesejada",
            title: "Uma mensagem foi marcada como indesejada",
            preview: "Uma mensagem para {signer} sobre “{folio}” foi marcada como e-mail indesejado.",
            lead: "Uma mensagem de *{company}* para *{signer}* ({contact}) foi marcada como e-mail indesejado, segundo o provedor desse endereço. É sobre *“{folio}”*, que você enviou pelo painel de assinaturas.",
            button: "Ver o folio",
            call: "Veja o folio aqui:",
            after: &[
                "O endereço pode ser de outra pessoa, ou quem o lê não esperava a mensagem. Confirme por outro meio antes de enviar outra.",
            ],
            small: "",
            why: WHY_SENT,
        },
        AccountEmailKind::CompanySignIn => AccountTexts {
            subject: "Como entrar no painel de assinaturas de {company}",
            title: "Entre com a conta da sua empresa",
            preview: "Em {company} se entra no painel com a conta da empresa.",
            lead: "Alguém, talvez você, pediu uma senha para o painel de assinaturas de *{company}*. Lá as pessoas entram com a conta da empresa, sem outra senha.",
            button: "Entrar no painel",
            call: "Entre aqui:",
            after: &["*Se você não pediu, não faça nada.*"],
            small: "",
            why: "Você recebe este e-mail porque alguém escreveu este endereço na página de entrada do painel de {company}.",
        },
    }
}

#[cfg(test)]
mod tests {
    use super::AccountTexts;
    use crate::samples::ACCOUNT_EMAILS;
    use domain::Language;

    /// Every text of an email, in one order for all.
    fn all(texts: &AccountTexts) -> Vec<&'static str> {
        let mut all = vec![
            texts.subject,
            texts.title,
            texts.preview,
            texts.lead,
            texts.button,
            texts.call,
            texts.small,
            texts.why,
        ];
        all.extend(texts.after);
        all
    }

    /// The names of values in a text, and what is stressed, in alphabetical order.
    fn marks(text: &str) -> (Vec<&str>, usize) {
        let rest = text.split('{').skip(1);
        let mut values: Vec<&str> = rest.filter_map(|rest| Some(rest.split_once('}')?.0)).collect();
        values.sort_unstable();
        (values, text.matches('*').count())
    }

    #[test]
    fn every_email_says_as_much_in_every_language() {
        for kind in ACCOUNT_EMAILS {
            let spanish = all(&AccountTexts::of(kind, Language::Spanish));
            let mut known = Vec::new();
            for language in Language::ALL {
                let texts = AccountTexts::of(kind, language);
                let what = format!("{kind:?} {language:?}");
                let always = [texts.subject, texts.title, texts.preview, texts.lead, texts.why];
                for text in always.iter().chain(texts.after) {
                    assert!(!text.trim().is_empty(), "{what}");
                }
                assert!(texts.lead.contains("{company}"), "{what}");
                let own = all(&texts);
                assert_eq!(own.len(), spanish.len(), "{what}");
                for (text, original) in own.iter().zip(&spanish) {
                    assert_eq!(text.is_empty(), original.is_empty(), "{what}: {text}");
                    assert_eq!(marks(text), marks(original), "{what}: {text}");
                    let new = text.is_empty() || !known.contains(text);
                    assert!(new, "{what} is not translated: {text}");
                }
                // Not before: a title may be its subject, too.
                known.extend(own);
            }
        }
    }
}
