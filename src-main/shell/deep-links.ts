import { app } from 'electron'

const SCHEME = 'patchbay'
const LINK = /^patchbay:/iu

/** The link among the arguments of a start, as Windows and Linux hand it over. */
function linkIn(argv: readonly string[]): string | undefined {
  return argv.find((argument) => LINK.test(argument))
}

/**
 * Takes the links that the system opens the app with: as an event on macOS, else as an argument of this start
 * or of a second one. To be made before the app is ready; what comes before `follow` waits for it. Nothing is done
 * with a link but handing it on.
 */
export class DeepLinks {
  #open: ((link: string) => void) | undefined
  #waiting: string | undefined

  constructor(argv: readonly string[]) {
    this.#waiting = linkIn(argv)
    app.on('open-url', (event, link) => {
      event.preventDefault()
      if (LINK.test(link)) this.#take(link)
    })
    app.on('second-instance', (_event, others) => {
      const link = linkIn(others)
      if (link !== undefined) this.#take(link)
    })
    // Unpackaged, the system would start Electron alone.
    if (app.isPackaged && !app.isDefaultProtocolClient(SCHEME)) {
      app.setAsDefaultProtocolClient(SCHEME)
    }
  }

  /** Whether a link came that nobody took yet. */
  get hasWaiting(): boolean {
    return this.#waiting !== undefined
  }

  /** Hands on what came, and what comes. */
  follow(open: (link: string) => void): void {
    this.#open = open
    const waiting = this.#waiting
    this.#waiting = undefined
    if (waiting !== undefined) open(waiting)
  }

  #take(link: string): void {
    if (this.#open) this.#open(link)
    else this.#waiting = link
  }
}
