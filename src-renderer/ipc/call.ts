import type { AppErrorShape } from '../../src-shared/domain/app-error'
import { AppError } from '../../src-shared/domain/app-error'
import type {
  Bridge,
  RequestChannel,
  RequestInput,
  RequestOutput,
} from '../../src-shared/ipc/contract'

const line: { bridge?: Bridge; requestCount: number } = { requestCount: 0 }

function bridge(): Bridge {
  if (!line.bridge)
    throw new AppError('DISCONNECTED', 'Patchbay is still connecting. Try again in a moment.')
  return line.bridge
}

/** Sets the bridge that `call` and `listen` use. */
export function setLine(to: Bridge): void {
  line.bridge = to
}

/** Sends a request to main: resolves to its output, or throws an `AppError`. */
export async function call<C extends RequestChannel>(
  channel: C,
  input: RequestInput<C>,
): Promise<RequestOutput<C>> {
  line.requestCount += 1
  try {
    const reply = await sent(channel, input)
    if (reply.ok) return reply.value
    throw new AppError(reply.error.code, reply.error.message, { hint: reply.error.hint })
  } finally {
    line.requestCount -= 1
  }
}

/** The bridge throws for values that cannot be cloned or are nested too deep. */
async function sent<C extends RequestChannel>(
  channel: C,
  input: RequestInput<C>,
): Promise<Awaited<ReturnType<Bridge['requests'][C]>>> {
  const to = bridge().requests[channel]
  try {
    return (await to(input)) as Awaited<ReturnType<Bridge['requests'][C]>>
  } catch (cause) {
    if (cause instanceof AppError) throw cause
    throw new AppError('INVALID_REQUEST', 'This can’t be sent to Patchbay.', {
      cause,
      hint: cause instanceof Error ? cause.message : String(cause),
    })
  }
}

/** Whether a request to main is pending. */
export function hasPendingRequest(): boolean {
  return line.requestCount > 0
}

/** Returns the path of a file that the user dropped on the window; undefined if unknown. */
export function pathOfFile(file: File): string | undefined {
  const path = line.bridge?.pathOfFile?.(file) ?? ''
  return path === '' ? undefined : path
}

/** Converts any thrown value to an error that a screen can show. */
export function toErrorShape(thrown: unknown): AppErrorShape {
  if (thrown instanceof AppError) {
    const { code, message, hint } = thrown
    return { code, message, ...(hint === undefined ? {} : { hint }) }
  }
  return { code: 'INTERNAL', message: thrown instanceof Error ? thrown.message : String(thrown) }
}
