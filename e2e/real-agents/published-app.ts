import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { stripVTControlCharacters } from 'node:util'

const RUN_MS = 90_000

/** An agent of the terminal as it is published, and how it is asked for its servers without an account. */
export type PublishedApp = {
  readonly hostId: string
  readonly package: { readonly name: string; readonly version: string }
  /** Below its `node_modules`; a script of Node.js where the name says so. */
  readonly program: string
  /** What its folders hold before Patchbay comes, by the path from the home folder on. */
  readonly files: (at: { readonly work: string; readonly model: string }) => Record<string, string>
  /** Its file that lists servers, one of these. */
  readonly file: string
  /** It writes in that file itself when it runs. */
  readonly rewrites?: boolean
  /** Its command that lists servers, and what that says of the entry; missing where it has none. */
  readonly list?: readonly string[]
  readonly shows?: RegExp
  /** A session of it, and what it tells then; that with a model calls the tool that this is offered by this name. */
  readonly session?: (run: AppRun) => Promise<string>
  readonly tells?: RegExp
  readonly offers?: string
  /** What it calls itself towards servers; missing where it was not brought to start one. */
  readonly called?: string
  /** It only looks whether the server answers, and asks for no tools. */
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
