import type { FormProps } from '@rjsf/core/lib/components/Form.js'

import { ChoiceControl, ChoicesControl, NullField, YesNoControl } from './choice-controls'
import { AddedFrame, FieldFrame } from './field-frame'
import { KindsFrame, ObjectFrame, OptionalControls } from './group-frames'
import { JsonField } from './json-field'
import { EntryButtons, EntryFrame, ListFrame } from './list-frames'
import { NumberInput, TextControl } from './text-controls'

type Theme = Required<Pick<FormProps<unknown>, 'templates' | 'fields' | 'widgets'>>

function nothing(): null {
  return null
}

/** How a form by JSON Schema is drawn: everything is made of our own parts, and a server's texts are plain texts. */
export const formTheme: Theme = {
  templates: {
    FieldTemplate: FieldFrame,
    WrapIfAdditionalTemplate: AddedFrame,
    ObjectFieldTemplate: ObjectFrame,
    OptionalDataControlsTemplate: OptionalControls,
    MultiSchemaFieldTemplate: KindsFrame,
    CyclicSchemaExpandTemplate: nothing,
    ArrayFieldTemplate: ListFrame,
    ArrayFieldItemTemplate: EntryFrame,
    ArrayFieldItemButtonsTemplate: EntryButtons,
    // The frames say these themselves.
    DescriptionFieldTemplate: nothing,
    FieldErrorTemplate: nothing,
    FieldHelpTemplate: nothing,
    ErrorListTemplate: nothing,
    UnsupportedFieldTemplate: nothing,
  },
  fields: { NumberField: NumberInput, FallbackField: JsonField, NullField },
  widgets: {
    TextWidget: TextControl,
    TextareaWidget: TextControl,
    EmailWidget: TextControl,
    URLWidget: TextControl,
    DateWidget: TextControl,
    DateTimeWidget: TextControl,
    TimeWidget: TextControl,
    PasswordWidget: TextControl,
    ColorWidget: TextControl,
    FileWidget: TextControl,
    SelectWidget: ChoiceControl,
    RadioWidget: ChoiceControl,
    CheckboxWidget: YesNoControl,
    CheckboxesWidget: ChoicesControl,
  },
}
