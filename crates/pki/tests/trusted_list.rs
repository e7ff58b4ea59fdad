//! Trusted lists: what they grant is trusted, and nothing else of them.

mod cms_tools;

use cms_tools::{OpenSsl, P256, SIGNING};
use data_encoding::BASE64_MIME;
use pki::cms::Certificate;
use pki::trusted_list::{TrustedList, TrustedListError};

const GRANTED: &str = "http://uri.etsi.org/TrstSvc/TrustedList/Svcstatus/granted";
const WITHDRAWN: &str = "http://uri.etsi.org/TrstSvc/TrustedList/Svcstatus/withdrawn";
const CA: &str = "http://uri.etsi.org/TrstSvc/Svctype/CA/QC";
const TSA: &str = "http://uri.etsi.org/TrstSvc/Svctype/TSA/QTST";
const ARCHIVE: &str = "http://uri.etsi.org/TrstSvc/Svctype/PSES/Q";

fn information(kind: &str, status: &str, certificate: &Certificate) -> String {
    let encoded = BASE64_MIME.encode(certificate.as_der());
    format!(
        "<tsl:ServiceTypeIdentifier>{kind}</tsl:ServiceTypeIdentifier>
         <tsl:ServiceDigitalIdentity>
           <tsl:DigitalId><tsl:X509Certificate>{encoded}</tsl:X509Certificate></tsl:DigitalId>
           <tsl:DigitalId><tsl:X509SubjectName>CN=x</tsl:X509SubjectName></tsl:DigitalId>
         </tsl:ServiceDigitalIdentity>
         <tsl:ServiceStatus> {status} </tsl:ServiceStatus>"
    )
}

fn service(kind: &str, status: &str, certificate: &Certificate) -> String {
    let information = information(kind, status, certificate);
    format!("<tsl:TSPService><tsl:ServiceInformation>{information}</tsl:ServiceInformation></tsl:TSPService>")
}

fn list(services: &str) -> String {
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>
         <tsl:TrustServiceStatusList xmlns:tsl=\"http://uri.etsi.org/02231/v2#\">
         <tsl:TrustServiceProviderList><tsl:TrustServiceProvider><tsl:TSPServices>{services}</tsl:TSPServices>
         </tsl:TrustServiceProvider></tsl:TrustServiceProviderList></tsl:TrustServiceStatusList>"
    )
}

#[test]
fn granted_authorities_are_anchors() {
    let tools = OpenSsl::new();
    let root = tools.certificate("ca");
    let [clock, withdrawn, archive, earlier] =
        ["clock", "withdrawn", "archive", "earlier"].map(|name| tools.signer(name, P256, SIGNING));
    let history = format!(
        "<tsl:TSPService><tsl:ServiceInformation>{}</tsl:ServiceInformation><tsl:ServiceHistory>\
         <tsl:ServiceHistoryInstance>{}</tsl:ServiceHistoryInstance></tsl:ServiceHistory></tsl:TSPService>",
        information(CA, WITHDRAWN, &withdrawn),
        information(CA, GRANTED, &earlier),
    );
    let services = [
        service(CA, GRANTED, &root),
        service(CA, GRANTED, &root),
        service(TSA, GRANTED, &clock),
        service(ARCHIVE, GRANTED, &archive),
        history,
    ];
    let read = TrustedList::from_xml(list(&services.concat()).as_bytes()).unwrap();
    assert_eq!(read.authorities, std::slice::from_ref(&root));
    assert_eq!(read.time_stamping, [clock]);

    let elsewhere = list(&service(CA, GRANTED, &root)).replace("02231/v2#", "other#");
    for empty in [
        list(""),
        list(&service(CA, WITHDRAWN, &root)),
        elsewhere,
        String::new(),
    ] {
        let error = TrustedList::from_xml(empty.as_bytes());
        assert!(matches!(error, Err(TrustedListError::Empty)), "{error:?}");
    }
}

#[test]
fn a_list_that_ends_too_early_is_refused() {
    let tools = OpenSsl::new();
    let whole = list(&service(CA, GRANTED, &tools.certificate("ca")));
    TrustedList::from_xml(whole.as_bytes()).unwrap();
    for end in ["</tsl:TSPServices>", "</tsl:TrustServiceStatusList>"] {
        let (cut, _) = whole.split_once(end).unwrap();
        let read = TrustedList::from_xml(cut.as_bytes());
        assert!(matches!(read, Err(TrustedListError::Xml(_))), "{end}: {read:?}");
    }
}

#[test]
fn hostile_lists_are_refused() {
    let entity = "<!DOCTYPE x [<!ENTITY a \"b\">]><x>&a;</x>";
    assert!(matches!(
        TrustedList::from_xml(entity.as_bytes()),
        Err(TrustedListError::Xml(_))
    ));
    let deep = "<x>".repeat(100);
    assert!(matches!(
        TrustedList::from_xml(deep.as_bytes()),
        Err(TrustedListError::TooLarge)
    ));
    let long = format!("<x>{}</x>", "a".repeat(1 << 20));
    assert!(matches!(
        TrustedList::from_xml(long.as_bytes()),
        Err(TrustedListError::TooLarge)
    ));
    for broken in ["<x></y>", "<x", "<x><![CDATA["] {
        assert!(TrustedList::from_xml(broken.as_bytes()).is_err(), "{broken}");
    }
}
