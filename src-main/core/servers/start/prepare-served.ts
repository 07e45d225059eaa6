import { AppError } from '../../../../src-shared/domain/app-error'
import type { PlannedAddress } from '../../launch/plan/launch-plan'
import { isLoopback } from '../../network/is-loopback'
import type { ServedAt } from './launch'
import { addressOf, headersOf } from './prepare-remote'

/**
 * Where an approved command is to serve HTTP. Throws UNSUPPORTED_TRANSPORT where its entry names no address of this
 * computer, and INVALID_VALUES where the address or a header is none.
 */
export function prepareServed({ type, url, headers }: PlannedAddress): ServedAt {
  if (url === undefined) throw unservedError('does not say where it answers')
  const address = addressOf(url)
  if (!isLoopback(address))
    throw unservedError(`says that it answers at ${address.host}, which is not this computer`)
  return { url: address, headers: headersOf(headers), transport: type }
}

function unservedError(why: string): AppError {
  return new AppError('UNSUPPORTED_TRANSPORT', `Not started: its entry ${why}.`, {
    hint: 'What was typed is kept. Where the entry also has another package or a remote, set that up.',
  })
}
