import { AppError } from '../../../src-shared/domain/app-error'

/** A server that is reached by another address, by its redirect. */
export class MovedError extends AppError {
  constructor(
    message: string,
    /** Without its query, as the user may take it over. */
    readonly address: string,
    details: { readonly cause: unknown; readonly hint: string },
  ) {
    super('REMOTE_REFUSED', message, details)
  }
}
