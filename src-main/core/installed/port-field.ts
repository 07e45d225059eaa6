import { createServer } from 'node:net'

import type { FieldValue, FieldValues } from '../../../src-shared/domain/server-json/field-values'
import type { FormField } from '../../../src-shared/form/form-field'
import { bindLoopback } from '../listener/bind-loopback'

/** A name of a port, of a field or of what it fills: `port`, `HTTP_PORT`, `--listen-port`. */
const PORT_NAME = /(?:^|[^a-z])port(?:$|[^a-z])/i
/** Empty too: what is not set is up to the server. */
const PORT = /^\d{0,5}$/

/**
 * The one field that holds the port of a server: the one with the port that is taken, where that is known, else the
 * one that is named after it; undefined where none or several may be it.
 */
export function portField(
  fields: readonly FormField[],
  values: FieldValues,
  taken: number | undefined,
): FormField | undefined {
  const plain = fields.filter(({ secret, repeated }) => !secret && !repeated)
  const holding = plain.filter((field) => valueOf(field, values) === String(taken))
  if (holding.length > 0) return holding.length === 1 ? holding[0] : undefined
  const named = plain.filter((field) => isNamed(field) && mayHoldPort(valueOf(field, values)))
  return named.length === 1 ? named[0] : undefined
}

function mayHoldPort(value: FieldValue): boolean {
  return typeof value === 'string' && PORT.test(value)
}

function valueOf({ key, default: standard = '' }: FormField, values: FieldValues): FieldValue {
  return values[key] ?? standard
}

function isNamed({ key, label, machineName = '' }: FormField): boolean {
  return [key, label, machineName].some((name) => PORT_NAME.test(name.replaceAll('_', ' ')))
}

/** A port of this computer on which nobody listens at the moment. Rejects with the system's error. */
export async function freePort(): Promise<number> {
  const server = createServer()
  const port = await bindLoopback(server, 0, () => undefined)
  await new Promise((resolve) => server.close(resolve))
  return port
}
