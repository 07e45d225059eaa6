import { namesSecret } from '../secret-name'
import { withImpliedVariables } from './implied-variables'
import { parseInputs } from './parse-input'
import type { InputVariable, KeyValueInput } from './server-json'
import type { JsonObject, TolerantReader } from './tolerant-reader'

/** RFC 9110, a token. */
const FIELD_NAME = /^[\w!#$%&'*+.^`|~-]+$/

/** Reads a list of headers; what their values name in braces and do not declare becomes an input. */
export function parseHeaders(
  reader: TolerantReader,
  source: JsonObject,
  path: string,
): KeyValueInput[] {
  const headers = parseInputs(reader, source, 'headers', path, (name) =>
    FIELD_NAME.test(name) ? undefined : 'Invalid header name.',
  )
  return headers.map((header) => {
    if (header.value === undefined) return header
    const { template, variables, added } = withImpliedVariables(header.value, header.variables, {
      isRequired: header.isRequired === true,
      asSecret: header.isSecret ?? namesSecret(header.name),
    })
    noteImplied(reader, `${path}headers.${header.name}`, added)
    return { ...header, value: template, variables: variables && { ...variables } }
  })
}

/** Says of each brace without a declaration that it is asked for. */
function noteImplied(reader: TolerantReader, path: string, added: readonly string[]): void {
  for (const name of added) {
    const message = `Undeclared variable {${name}}. The form asks for it.`
    reader.setAside(`${path}.variables.${name}`, 'implied-variable', message)
  }
}

/** An address with the variables it names; each that is not declared becomes a required input. */
export function addressTemplate(
  reader: TolerantReader,
  url: string,
  variables: Readonly<Record<string, InputVariable>> | undefined,
  path: string,
): { url: string; variables: Record<string, InputVariable> | undefined } {
  const rule = { isRequired: true, asSecret: false }
  const implied = withImpliedVariables(url, variables, rule)
  noteImplied(reader, path, implied.added)
  return { url: implied.template, variables: implied.variables && { ...implied.variables } }
}
