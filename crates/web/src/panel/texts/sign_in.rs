//! Signing in and out.

use crate::page::{PanelLang, panel_texts};
use app::panel::WeakPassword;

panel_texts! {
    sign_in_title: "Entrar al panel", "Sign in to the panel";
    sign_in_lead: "Para las personas de la empresa. Si recibió un documento para firmar, abra el enlace de ese mensaje.",
        "For the company's people. If you received a document to sign, open the link in that message.";
    email_label: "Correo electrónico", "Email address";
    password_label: "Contraseña", "Password";
    sign_in: "Entrar", "Sign in";
    forgotten: "Olvidé mi contraseña", "I forgot my password";
    wrong_password: "El correo o la contraseña no son correctos.", "The email address or the password is not right.";
    signed_out: "Usted salió del panel.", "You have signed out.";
    password_chosen: "Se guardó su contraseña. Ya puede entrar.", "Your password is saved. You can sign in now.";
    code_took_too_long: "Pasó demasiado tiempo. Entre de nuevo.", "It took too long. Sign in again.";
    second_step_title: "Escriba el código de su aplicación", "Enter the code of your app";
    second_step_lead: "Abra la aplicación de autenticación de su celular. Si no la tiene a mano, escriba uno de sus códigos de recuperación.",
        "Open the authenticator app on your phone. If you do not have it at hand, enter one of your recovery codes.";
    second_step_label: "Código", "Code";
    wrong_code_panel: "El código no es correcto, o ya se usó.", "The code is not right, or was used already.";
    forgotten_title: "Elegir una contraseña", "Choose a password";
    forgotten_lead: "Escriba el correo con el que entra al panel. Le enviaremos un enlace para elegir una contraseña nueva.",
        "Enter the email address you sign in with. We will send you a link to choose a new password.";
    forgotten_send: "Enviar el enlace", "Send the link";
    forgotten_sent: "Si hay una cuenta con ese correo, el enlace va en camino. Sirve durante una hora y una sola vez; mire también en el correo no deseado.",
        "If there is an account with that address, the link is on its way. It works for one hour and once; look in your spam folder too.";
    back_to_sign_in: "Volver a la página de ingreso", "Back to the sign-in page";
    reset_title: "Elija su contraseña", "Choose your password";
    reset_button: "Guardar la contraseña", "Save the password";
    new_password_label: "Contraseña nueva", "New password";
    new_password_hint: "Al menos 10 caracteres. Lo mejor es una frase de cuatro o más palabras que solo usted conozca.", "At least 10 characters. A sentence of four or more words that only you know works best.";
    dead_link_title: "Este enlace ya no sirve", "This link no longer works";
    dead_link_lead: "Sirve durante una hora y una sola vez. Pida otro en la página de ingreso, con «Olvidé mi contraseña».",
        "It works for one hour and once. Ask for another on the sign-in page, with “I forgot my password”.";
    weak_short: "La contraseña es muy corta: use al menos 10 caracteres.", "The password is too short: use at least 10 characters.";
    weak_long: "La contraseña es muy larga: use como máximo 128 caracteres.", "The password is too long: use at most 128 characters.";
    weak_personal: "Esa contraseña se adivina a partir de su correo, su nombre o su empresa. Use una frase de cuatro o más palabras que no los contenga.",
        "That password is guessed from your address, your name or your company. Use a sentence of four or more words without them.";
    weak_common: "Esa contraseña usa palabras o claves muy comunes y se adivina fácil, aunque lleve números o símbolos. Use una frase de cuatro o más palabras que solo usted conozca.",
        "That password uses very common words or passwords and is easy to guess, even with digits or symbols. Use a sentence of four or more words that only you know.";
    weak_pattern: "Esa contraseña sigue un patrón (repite, cuenta, recorre el teclado o es una fecha) y se adivina fácil. Use una frase de cuatro o más palabras que solo usted conozca.",
        "That password follows a pattern (it repeats, counts, goes along the keyboard or is a date) and is easy to guess. Use a sentence of four or more words that only you know.";
    account_exists_title: "Este correo ya tiene una cuenta", "This address has an account already";
    account_exists_lead: "Cada correo sirve para el panel de una sola empresa. Pida que lo inviten a otro correo suyo.",
        "Each address works for the panel of one company. Ask to be invited at another address of yours.";
    start_over: "Empezar de nuevo", "Start over";
}

impl PanelLang {
    pub(crate) const fn weak_password(self, weak: WeakPassword) -> &'static str {
        match weak {
            WeakPassword::Short => self.weak_short(),
            WeakPassword::Long => self.weak_long(),
            WeakPassword::Personal => self.weak_personal(),
            WeakPassword::Common => self.weak_common(),
            WeakPassword::Pattern => self.weak_pattern(),
        }
    }
}
