import type { LoginShell } from './login-shell'

type Variables = Readonly<Record<string, string | undefined>>

/** Matches possible variable names: `$NAME`, `%NAME%`, `{env:NAME}`. */
const PLACEHOLDER = /[$%]|\{\s*env/u

/** The user's variables: Patchbay's own, then those of the login shell. */
export class ComputerVariables {
  constructor(
    private readonly own: Variables,
    private readonly shell: Pick<LoginShell, 'read' | 'valueOf'>,
  ) {}

  async valueOf(name: string): Promise<string | undefined> {
    return Object.hasOwn(this.own, name) ? this.own[name] : this.shell.valueOf(name)
  }

  /** Returns the variables that a configuration may name; skips the shell for a text without placeholders. */
  async namedIn(text: string): Promise<Variables> {
    if (!PLACEHOLDER.test(text)) return this.own
    return { ...(await this.shell.read()), ...this.own }
  }
}
