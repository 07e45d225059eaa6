import { errorMessage } from '../../../src-shared/domain/error-message'
import { ErrorLatch } from '../failure/error-latch'
import { background } from '../lifecycle/background'
import type { EndedRequest } from '../mcp/peer/request-failure'
import type { NamedServer, OtlpMeter, OtlpMeterOptions } from './otlp-meter'

type OutletOptions = Omit<OtlpMeterOptions, 'endpoint' | 'onSent'> & {
  /** The collector rejects metrics: a sentence, once; undefined when it accepts them again or is no longer used. */
  readonly onProblem: (message: string | undefined) => void
}

/**
 * Sends metrics to an OpenTelemetry collector while an address is set. The SDK is loaded with the first address only. Nothing here throws
 * or rejects.
 */
export class MetricsExporter {
  #endpoint = ''
  #meter: OtlpMeter | undefined
  readonly #latch: ErrorLatch
  readonly #closing = new Set<Promise<void>>()

  constructor(private readonly options: OutletOptions) {
    this.#latch = new ErrorLatch(options.onProblem)
  }

  /** Switches to another address, and sends earlier metrics to the previous one; '' stops. */
  moveTo(endpoint: string): void {
    if (endpoint === this.#endpoint) return
    this.#endpoint = endpoint
    this.#end()
    this.#latch.set(undefined)
    if (endpoint !== '') background(this.#begin(endpoint), 'sending metrics')
  }

  /** Reconnects because the network's proxy has changed. */
  networkChanged(): void {
    const endpoint = this.#endpoint
    this.moveTo('')
    this.moveTo(endpoint)
  }

  record(server: NamedServer, request: EndedRequest): void {
    this.#meter?.record(server, request)
  }

  /** Sends the metrics so far. Settles within about 2 s. */
  async close(): Promise<void> {
    this.#endpoint = ''
    this.#end()
    await Promise.all(this.#closing)
  }

  async #begin(endpoint: string): Promise<void> {
    const onSent = (failure: string | undefined): void => {
      // The last request to a previous address no longer matters.
      if (this.#endpoint === endpoint) this.#latch.set(failure && problemAt(endpoint, failure))
    }
    try {
      const { openOtlpMeter } = await import('./otlp-meter')
      // The address may have changed meanwhile.
      if (this.#endpoint !== endpoint || this.#meter) return
      this.#meter = openOtlpMeter({ ...this.options, endpoint, onSent })
    } catch (error) {
      onSent(errorMessage(error))
    }
  }

  #end(): void {
    const closed = this.#meter?.close()
    this.#meter = undefined
    if (!closed) return
    this.#closing.add(closed)
    background(
      closed.then(() => this.#closing.delete(closed)),
      'sending the last metrics',
    )
  }
}

function problemAt(endpoint: string, reason: string): string {
  return `The collector at ${new URL(endpoint).host} rejected the metrics (${reason}). Check that it runs, and its address in Settings. Patchbay retries every minute.`
}
