import type { LoginShell } from './login-shell'

type Variables = Readonly<Record<string, string | undefined>>

/** May name a variable: `$NAME`, `%NAME%`, `{env:NAME}`. */
const PLACEHOLDER = /[$%]|\{\s*env/u

/** The variables that this computer has for its user: Patchbay's own, and those of the login shell where it has none. */
export class ComputerVariables {
  constructor(
    private readonly own: Variables,
    private readonly shell: Pick<LoginShell, 'read' | 'valueOf'>,
  ) {}

  async valueOf(name: string): Promise<string | undefined> {
    return Object.hasOwn(this.own, name) ? this.own[name] : this.shell.valueOf(name)
  }

  /** Those that a configuration may name; the shell is not asked for a text without placeholders. */
  async namedIn(text: string): Promise<Variables> {
    if (!PLACEHOLDER.test(text)) return this.own
    return { ...(await this.shell.read()), ...this.own }
  }
}
