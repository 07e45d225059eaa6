import { AppError } from '../../../../src-shared/domain/app-error'

/** A call that its person did not allow: they said no, or nothing in time. Nothing was sent to the server. */
export class CallDeniedError extends AppError {
  constructor(message: string, hint: string) {
    super('CONSENT_REQUIRED', message, { hint })
  }
}
