import * as z from 'zod'

/** One form value. Booleans are "true" and "false", numbers are decimal text; only repeated fields have a list. */
export const FieldValue = z.union([z.string(), z.array(z.string())])
export type FieldValue = z.infer<typeof FieldValue>

/**
 * Values by field key. A missing key means untouched: the default applies, or the saved secret stays. An empty string or list means that
 * the user cleared the field.
 */
export const FieldValues = z.record(z.string(), FieldValue)
export type FieldValues = z.infer<typeof FieldValues>
