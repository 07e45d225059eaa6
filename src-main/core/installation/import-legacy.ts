import { AppError } from '../../../src-shared/domain/app-error'
import { isJsonObject, type JsonObject } from '../../../src-shared/domain/json-object'
import type { FieldValue, FieldValues } from '../../../src-shared/domain/server-json/field-values'
import type { FormField } from '../../../src-shared/form/form-field'

const SHAPE = 'Expected {"package_args": {"name": "value"}}.'

/**
 * Reads an older configuration `{"package_args": {"name": "a,b"}}` into values. Splits comma-separated text only for repeated fields.
 * `unknown` lists names without a field. Throws INVALID_LEGACY_CONFIG.
 */
export function readLegacyValues(
  fields: FormField[],
  text: string,
): { values: FieldValues; unknown: string[] } {
  const values: [string, FieldValue][] = []
  const unknown: string[] = []
  for (const [name, raw] of Object.entries(parsePackageArgs(text))) {
    const field = findField(fields, name)
    if (field === undefined) unknown.push(name)
    else values.push([field.key, readValue(field, name, raw)])
  }
  return { values: Object.fromEntries(values), unknown }
}

function parsePackageArgs(text: string): JsonObject {
  let raw: unknown
  try {
    raw = JSON.parse(text)
  } catch (cause) {
    // The message of JSON.parse quotes the text, which may contain a secret.
    throw invalid('The older configuration isn’t valid JSON.', cause)
  }
  if (!isJsonObject(raw)) throw invalid('The older configuration isn’t a JSON object.')
  if (!Object.hasOwn(raw, 'package_args')) throw invalid('"package_args" is missing.')
  if (!isJsonObject(raw.package_args)) throw invalid('"package_args" isn’t an object.')
  return raw.package_args
}

function invalid(message: string, cause?: unknown): AppError {
  return new AppError('INVALID_LEGACY_CONFIG', message, { cause, hint: SHAPE })
}

function findField(fields: readonly FormField[], name: string): FormField | undefined {
  return (
    fields.find(({ key }) => key === name) ??
    fields.find(({ machineName }) => machineName === name) ??
    fields.find(({ machineName }) => machineName && bareName(machineName) === bareName(name))
  )
}

function bareName(name: string): string {
  return name
    .replace(/^-+/, '')
    .replace(/^\{(.*)\}$/, '$1')
    .replaceAll('-', '_')
}

function readValue(field: FormField, name: string, raw: unknown): FieldValue {
  const texts = (Array.isArray(raw) ? raw : [raw]).map((one: unknown) => asText(name, one))
  const isSplit = field.repeated && !Array.isArray(raw)
  const entries = isSplit ? texts.flatMap((text) => text.split(',')) : texts
  const filled = entries.map((one) => (isSplit ? one.trim() : one)).filter((one) => one !== '')
  if (field.repeated) return filled
  if (filled.length > 1) {
    return field.target.place === 'environmentVariables' ? filled.join(',') : filled
  }
  return filled[0] ?? ''
}

function asText(name: string, raw: unknown): string {
  if (typeof raw === 'string') return raw
  if (typeof raw === 'number' || typeof raw === 'boolean') return String(raw)
  if (raw === null) return ''
  throw invalid(`The value of "${name}" is neither a string nor an array of strings.`)
}
