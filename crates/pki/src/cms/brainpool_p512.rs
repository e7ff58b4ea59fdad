//! The curve brainpoolP512r1 (RFC 5639, section 3.7). It only has its numbers here: the arithmetic is that of the crates
//! under `bp256` and `bp384`, which have no sibling for this curve.

use self::coordinates::FieldElement;
use ecdsa::elliptic_curve::bigint::{Odd, U512};
use ecdsa::elliptic_curve::consts::U64;
use ecdsa::elliptic_curve::ff::PrimeField;
use ecdsa::elliptic_curve::hazmat::FieldArithmetic;
use ecdsa::elliptic_curve::point::PointCompression;
use ecdsa::elliptic_curve::scalar::{FromUintUnchecked, IsHigh};
use ecdsa::elliptic_curve::subtle::{Choice, ConstantTimeEq, ConstantTimeGreater, CtOption};
use ecdsa::elliptic_curve::{Curve, CurveArithmetic, PrimeCurve, PrimeCurveArithmetic};
use primeorder::{PrimeCurveParams, mul_backend, point_arithmetic, wnaf};

const MODULUS: &str = "aadd9db8dbe9c48b3fd4e6ae33c9fc07cb308db3b3c9d20ed6639cca70330871\
                       7d4d9b009bc66842aecda12ae6a380e62881ff2f2d82c68528aa6056583a48f3";
const ORDER: &str = "aadd9db8dbe9c48b3fd4e6ae33c9fc07cb308db3b3c9d20ed6639cca70330870\
                     553e5c414ca92619418661197fac10471db1d381085ddaddb58796829ca90069";

/// The curve.
#[derive(Copy, Clone, Debug, Default, Eq, PartialEq, PartialOrd, Ord)]
pub struct BrainpoolP512r1;

impl Curve for BrainpoolP512r1 {
    type FieldBytesSize = U64;
    type Uint = U512;
    const ORDER: Odd<U512> = Odd::<U512>::from_be_hex(ORDER);
}

impl PrimeCurve for BrainpoolP512r1 {}

impl PointCompression for BrainpoolP512r1 {
    const COMPRESS_POINTS: bool = false;
}

impl CurveArithmetic for BrainpoolP512r1 {
    type AffinePoint = primeorder::AffinePoint<Self>;
    type ProjectivePoint = primeorder::ProjectivePoint<Self>;
    type Scalar = Scalar;
}

impl FieldArithmetic for BrainpoolP512r1 {
    type FieldElement = FieldElement;
}

impl PrimeCurveArithmetic for BrainpoolP512r1 {
    type CurveGroup = primeorder::ProjectivePoint<Self>;
}

impl PrimeCurveParams for BrainpoolP512r1 {
    type PointArithmetic = point_arithmetic::EquationAIsGeneric;
    type Backend = mul_backend::VariableOnly;

    const EQUATION_A: FieldElement = FieldElement::from_hex_vartime(
        "7830a3318b603b89e2327145ac234cc594cbdd8d3df91610a83441caea9863bc\
         2ded5d5aa8253aa10a2ef1c98b9ac8b57f1117a72bf2c7b9e7c1ac4d77fc94ca",
    );
    const EQUATION_B: FieldElement = FieldElement::from_hex_vartime(
        "3df91610a83441caea9863bc2ded5d5aa8253aa10a2ef1c98b9ac8b57f1117a7\
         2bf2c7b9e7c1ac4d77fc94cadc083e67984050b75ebae5dd2809bd638016f723",
    );
    const GENERATOR: (FieldElement, FieldElement) = (
        FieldElement::from_hex_vartime(
            "81aee4bdd82ed9645a21322e9c4c6a9385ed9f70b5d916c1b43b62eef4d0098e\
             ff3b1f78e2d0d48d50d1687b93b97d5f7c6d5047406a5e688b352209bcb9f822",
        ),
        FieldElement::from_hex_vartime(
            "7dde385d566332ecc0eabfa9cf7822fdf209f70024a57b1aa000c55b881f8111\
             b2dcde494a5f485e5bca4bd88a2763aed1ca2b2fa8f0540678cd1e0f3ad80892",
        ),
    );
}

impl ecdsa::EcdsaCurve for BrainpoolP512r1 {
    const NORMALIZE_S: bool = false;
}

/// Apart, because the macros import the same names for each field.
mod coordinates {
    use ecdsa::elliptic_curve::bigint::U512;
    use ecdsa::elliptic_curve::ff::PrimeField;
    use ecdsa::elliptic_curve::ops::BatchInvert;
    use ecdsa::elliptic_curve::subtle::{Choice, ConstantTimeEq, CtOption};

    primefield::monty_field_params! {
        name: FieldParams,
        modulus: super::MODULUS,
        uint: U512,
        byte_order: primefield::ByteOrder::BigEndian,
        multiplicative_generator: 2,
        doc: "The field of the coordinates."
    }

    primefield::monty_field_element! {
        name: FieldElement,
        params: FieldParams,
        uint: U512,
        doc: "A coordinate of a point."
    }

    primefield::monty_field_arithmetic! {
        name: FieldElement,
        params: FieldParams,
        uint: U512
    }

    impl BatchInvert for FieldElement {}
}

primefield::monty_field_params! {
    name: ScalarParams,
    modulus: ORDER,
    uint: U512,
    byte_order: primefield::ByteOrder::BigEndian,
    multiplicative_generator: 7,
    doc: "The field of the multiples of a point."
}

primefield::monty_field_element! {
    name: Scalar,
    params: ScalarParams,
    uint: U512,
    doc: "A multiple of a point."
}

primefield::monty_field_arithmetic! {
    name: Scalar,
    params: ScalarParams,
    uint: U512
}

primefield::monty_field_reduce! {
    name: Scalar,
    params: ScalarParams,
    uint: U512,
}

ecdsa::elliptic_curve::scalar_impls!(BrainpoolP512r1, Scalar);

wnaf::impl_wnaf_size_for_scalar!(Scalar);

impl AsRef<Self> for Scalar {
    fn as_ref(&self) -> &Self {
        self
    }
}

impl FromUintUnchecked for Scalar {
    type Uint = U512;

    fn from_uint_unchecked(uint: U512) -> Self {
        Self::from_uint_unchecked(uint)
    }
}

impl IsHigh for Scalar {
    fn is_high(&self) -> Choice {
        const HALF: U512 = BrainpoolP512r1::ORDER.as_ref().shr_vartime(1);
        self.to_canonical().ct_gt(&HALF)
    }
}
