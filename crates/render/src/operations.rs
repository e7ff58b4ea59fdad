//! What the operations of contents do.

use hayro::hayro_syntax::content::ops::TypedInstruction;

/// Whether an operation shows text.
pub(super) fn shows_text(operation: &TypedInstruction<'_, '_>) -> bool {
    matches!(
        operation,
        TypedInstruction::ShowText(_)
            | TypedInstruction::ShowTexts(_)
            | TypedInstruction::NextLineAndShowText(_)
            | TypedInstruction::ShowTextWithParameters(_)
    )
}

/// Whether an operation paints.
pub(super) fn paints(operation: &TypedInstruction<'_, '_>) -> bool {
    shows_text(operation)
        || matches!(
            operation,
            TypedInstruction::FillPathEvenOdd(_)
                | TypedInstruction::FillPathNonZero(_)
                | TypedInstruction::FillPathNonZeroCompatibility(_)
                | TypedInstruction::FillAndStrokeEvenOdd(_)
                | TypedInstruction::FillAndStrokeNonZero(_)
                | TypedInstruction::CloseFillAndStrokeEvenOdd(_)
                | TypedInstruction::CloseFillAndStrokeNonZero(_)
                | TypedInstruction::CloseAndStrokePath(_)
                | TypedInstruction::StrokePath(_)
                | TypedInstruction::Shading(_)
                | TypedInstruction::InlineImage(_)
                | TypedInstruction::XObject(_)
        )
}

/// Whether an operation limits where others paint.
pub(super) fn clips(operation: &TypedInstruction<'_, '_>) -> bool {
    matches!(
        operation,
        TypedInstruction::ClipNonZero(_) | TypedInstruction::ClipEvenOdd(_)
    )
}

/// Whether an operation changes where, in which font or in which colour others paint.
pub(super) fn sets_state(operation: &TypedInstruction<'_, '_>) -> bool {
    matches!(
        operation,
        TypedInstruction::Transform(_)
            | TypedInstruction::SetGraphicsState(_)
            | TypedInstruction::TextFont(_)
            | TypedInstruction::TextRise(_)
            | TypedInstruction::TextLeading(_)
            | TypedInstruction::TextRenderingMode(_)
            | TypedInstruction::CharacterSpacing(_)
            | TypedInstruction::WordSpacing(_)
            | TypedInstruction::HorizontalScaling(_)
            | TypedInstruction::ColorSpaceStroke(_)
            | TypedInstruction::ColorSpaceNonStroke(_)
            | TypedInstruction::StrokeColor(_)
            | TypedInstruction::StrokeColorNamed(_)
            | TypedInstruction::StrokeColorDeviceGray(_)
            | TypedInstruction::StrokeColorDeviceRgb(_)
            | TypedInstruction::StrokeColorCmyk(_)
            | TypedInstruction::NonStrokeColor(_)
            | TypedInstruction::NonStrokeColorNamed(_)
            | TypedInstruction::NonStrokeColorDeviceGray(_)
            | TypedInstruction::NonStrokeColorDeviceRgb(_)
            | TypedInstruction::NonStrokeColorCmyk(_)
    )
}
