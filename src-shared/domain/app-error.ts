import * as z from 'zod'

/** Every error code of a rejected request or failed server. The renderer switches on codes, never on text. */
export const AppErrorCode = z.enum([
  'INVALID_REQUEST',
  'INTERNAL',
  'NOT_FOUND',
  'NAME_TAKEN',
  'CHANGED_MEANWHILE',
  'INVALID_VALUES',
  'INVALID_SERVER_JSON',
  'INVALID_LEGACY_CONFIG',
  'UNSUPPORTED_PACKAGE',
  'UNSUPPORTED_TRANSPORT',
  'INVALID_BUNDLE',
  'INVALID_CONFIG',
  'CONFIG_INCOMPLETE',
  'CONSENT_REQUIRED',
  'SETTINGS_UNWRITABLE',
  'LOG_FILES_FAILED',
  'HOST_FILE_CHANGED',
  'HOST_FILE_BROKEN',
  'HOST_FILE_UNWRITABLE',
  'SECRET_STORE_FAILED',
  'SECRET_MISSING',
  'SECRET_IN_USE',
  'COMMAND_NOT_FOUND',
  'COMMAND_NOT_RUNNABLE',
  'RUNNER_TOO_OLD',
  'RUNNER_NOT_RUNNING',
  'RUNNER_NOT_ALLOWED',
  'RUNNER_SETUP_FAILED',
  'INSTALL_FAILED',
  'REPAIR_FAILED',
  'SPAWN_FAILED',
  'SERVER_EXITED',
  'SERVER_KILLED',
  'PHASE_TIMEOUT',
  'HANDSHAKE_FAILED',
  'DISCOVERY_FAILED',
  'REQUEST_TIMEOUT',
  'REQUEST_CANCELLED',
  'REQUEST_REFUSED',
  'INVALID_ANSWER',
  'MESSAGE_TOO_LARGE',
  'SERVER_NOT_READING',
  'SERVER_NOT_RUNNING',
  'TOOL_NOT_EXPOSED',
  'REMOTE_UNREACHABLE',
  'REMOTE_UNTRUSTED',
  'REMOTE_REFUSED',
  'REMOTE_FAILED',
  'SIGN_IN_NEEDED',
  'SIGN_IN_FAILED',
  'REGISTRY_UNREACHABLE',
  'REGISTRY_BAD_ANSWER',
  'NOT_AVAILABLE_HERE',
  'DISCONNECTED',
  'REMOVED',
  'UPDATE_REJECTED',
  'CALLS_RUNNING',
])
export type AppErrorCode = z.infer<typeof AppErrorCode>

/** An error as it crosses a process boundary, which loses class identity. */
export const AppErrorShape = z.object({
  code: AppErrorCode,
  message: z.string(),
  hint: z.string().optional(),
})
export type AppErrorShape = z.infer<typeof AppErrorShape>

/** The only error class of the app: `message` says what happened, `hint` how to fix it. */
export class AppError extends Error {
  override readonly name = 'AppError'
  readonly hint: string | undefined

  constructor(
    readonly code: AppErrorCode,
    message: string,
    options?: { cause?: unknown; hint?: string | undefined },
  ) {
    super(message, { cause: options?.cause })
    this.hint = options?.hint
  }
}
