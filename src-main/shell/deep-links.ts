import { resolve } from 'node:path'

import { app } from 'electron'

import type { OpenedLink } from '../../src-shared/domain/state/opened-link'

const SCHEME = 'patchbay'
const LINK = /^patchbay:/iu

const BUNDLE = /^[^-].*\.(?:mcpb|dxt)$/isu

type Opened = Pick<OpenedLink, 'kind' | 'text'>

/** The link or bundle among the arguments of a start in `folder`, as Windows and Linux hand it over. */
function openedIn(argv: readonly string[], folder: string): Opened | undefined {
  const link = argv.find((argument) => LINK.test(argument))
  if (link !== undefined) return { kind: 'link', text: link }
  const bundle = argv.slice(1).find((argument) => BUNDLE.test(argument))
  return bundle === undefined ? undefined : { kind: 'bundle', text: resolve(folder, bundle) }
}

/**
 * Takes the links and bundles that the system opens the app with: as an event on macOS, else as an argument of this
 * start or of a second one. To be made before the app is ready; one that comes before `follow` waits for it. Nothing is
 * done with either but handing it on.
 */
export class DeepLinks {
  #open: ((opened: Opened) => void) | undefined
  #waiting: Opened | undefined

  constructor(argv: readonly string[]) {
    this.#waiting = openedIn(argv, process.cwd())
    app.on('open-url', (event, link) => {
      event.preventDefault()
      if (LINK.test(link)) this.#take({ kind: 'link', text: link })
    })
    app.on('open-file', (event, path) => {
      event.preventDefault()
      if (BUNDLE.test(path)) this.#take({ kind: 'bundle', text: path })
    })
    app.on('second-instance', (_event, others, folder) => {
      const opened = openedIn(others, folder)
      if (opened) this.#take(opened)
    })
    // Unpackaged, the system would start Electron alone.
    if (app.isPackaged) app.setAsDefaultProtocolClient(SCHEME)
  }

  /** Whether a link or bundle came that nobody took yet. */
  get hasWaiting(): boolean {
    return this.#waiting !== undefined
  }

  /** Hands on what came, and what comes. */
  follow(open: (opened: Opened) => void): void {
    this.#open = open
    const waiting = this.#waiting
    this.#waiting = undefined
    if (waiting !== undefined) open(waiting)
  }

  #take(opened: Opened): void {
    if (this.#open) this.#open(opened)
    else this.#waiting = opened
  }
}
