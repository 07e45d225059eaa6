import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { stripVTControlCharacters } from 'node:util'

const RUN_MS = 90_000

/** A published terminal agent, and how to get its servers without an account. */
export type PublishedApp = {
  readonly hostId: string
  readonly package: { readonly name: string; readonly version: string }
  /** Path below its `node_modules`; a Node.js script if the name says so. */
  readonly program: string
  /** Its files before Patchbay, by path from the home folder. */
  readonly files: (at: { readonly work: string; readonly model: string }) => Record<string, string>
  /** Which of them lists servers. */
  readonly file: string
  /** Whether it rewrites that file itself when it runs. */
  readonly rewrites?: boolean
  /** Its command that lists servers, and the expected text about the entry; absent if it has none. */
  readonly list?: readonly string[]
  readonly shows?: RegExp
  /** Runs a session, and the expected output; with a model it calls the tool offered by this name. */
  readonly session?: (run: AppRun) => Promise<string>
  readonly tells?: RegExp
  readonly offers?: string
  /** Its client name towards servers; absent if it wasn't made to start one. */
  readonly called?: string
  /** It only checks that the server answers, without listing tools. */
  readonly asksNoTools?: boolean
}

/** Where an app runs. */
export type RunPlace = {
  /** Where its package is installed. */
  readonly folder: string
  readonly home: string
  readonly model: string
  readonly env: Readonly<Record<string, string>>
}

/** Runs one app with a home folder of its own. */
export class AppRun {
  readonly #work: string

  constructor(
    readonly app: PublishedApp,
    readonly place: RunPlace,
  ) {
    this.#work = join(place.home, 'work')
    mkdirSync(this.#work, { recursive: true })
    const files = app.files({ work: this.#work, model: place.model })
    for (const [name, content] of Object.entries(files)) {
      const path = join(place.home, name)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, content)
    }
  }

  /** Absolute path of the file that lists its servers. */
  get file(): string {
    return join(this.place.home, this.app.file)
  }

  /** All that it says, without colours; rejects where it ends with an error. */
  async say(args: readonly string[], env: Record<string, string> = {}): Promise<string> {
    const child = this.start(args, 'ignore', env)
    const said = Promise.all([child.stdout, child.stderr].map(async (of) => (of ? text(of) : '')))
    const [code] = (await once(child, 'close')) as [number | null]
    const words = stripVTControlCharacters((await said).join('\n'))
    if (code !== 0) throw new Error(`${args.join(' ')} ended with ${String(code)}: ${words}`)
    return words
  }

  /** Starts it, with a stdin or without one. */
  start(
    args: readonly string[],
    stdin: 'ignore' | 'pipe',
    env: Record<string, string> = {},
  ): ChildProcess {
    const { folder, home } = this.place
    const program = join(folder, 'node_modules', this.app.program)
    const words = program.endsWith('js') ? [process.execPath, program] : [program]
    return spawn(words[0] ?? '', [...words.slice(1), ...args], {
      cwd: this.#work,
      // No key: the bridge has it from the keychain.
      env: { ...this.place.env, ...env, HOME: home, TERM: 'dumb', LANG: 'C.UTF-8' },
      stdio: [stdin, 'pipe', 'pipe'],
      timeout: RUN_MS,
    })
  }
}
