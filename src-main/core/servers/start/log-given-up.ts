import type { AppError } from '../../../../src-shared/domain/app-error'
import type { LogBuffer } from '../../log/log-buffer'

/** Records in a server's log that a request to it was given up, by whom and why. */
export function logGivenUp(log: Pick<LogBuffer, 'append'>, { code, message }: AppError): void {
  log.append('patchbay', code === 'REQUEST_TIMEOUT' ? 'warn' : 'info', message)
}
