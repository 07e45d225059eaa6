import { errorMessage } from '../../../src-shared/domain/error-message'
import { ErrorLatch } from '../failure/error-latch'
import { background } from '../lifecycle/background'
import type { EndedRequest } from '../mcp/peer/request-failure'
import type { NamedServer, OtlpMeter, OtlpMeterOptions } from './otlp-meter'

type OutletOptions = Omit<OtlpMeterOptions, 'endpoint' | 'onSent'> & {
  /** The collector does not take metrics: a sentence, once; undefined when it takes them again or is asked no more. */
  readonly onProblem: (message: string | undefined) => void
}

/**
 * Sends metrics to an OpenTelemetry collector while an address is set. What it takes for that is loaded with the
 * first address, so that nobody else pays for it. Nothing here throws or rejects.
 */
export class MetricsExporter {
  #endpoint = ''
  #meter: OtlpMeter | undefined
  readonly #latch: ErrorLatch
  readonly #closing = new Set<Promise<void>>()

  constructor(private readonly options: OutletOptions) {
    this.#latch = new ErrorLatch(options.onProblem)
  }

  /** Sends to another address from now on, what was counted for the old one to that; '' ends it. */
  moveTo(endpoint: string): void {
    if (endpoint === this.#endpoint) return
    this.#endpoint = endpoint
    this.#end()
    this.#latch.set(undefined)
    if (endpoint !== '') background(this.#begin(endpoint), 'sending metrics')
  }

  /** Its address is reached another way from now on. */
  networkChanged(): void {
    const endpoint = this.#endpoint
    this.moveTo('')
    this.moveTo(endpoint)
  }

  record(server: NamedServer, request: EndedRequest): void {
    this.#meter?.record(server, request)
  }

  /** Sends what was counted so far. Settles within about 2 s. */
  async close(): Promise<void> {
    this.#endpoint = ''
    this.#end()
    await Promise.all(this.#closing)
  }

  async #begin(endpoint: string): Promise<void> {
    const onSent = (failure: string | undefined): void => {
      // A last sending to an address of before is of no interest any more.
      if (this.#endpoint === endpoint) this.#latch.set(failure && problemAt(endpoint, failure))
    }
    try {
      const { openOtlpMeter } = await import('./otlp-meter')
      // It may have been moved or closed meanwhile.
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
