/** The name of a command that may be a path, as it is typed: `npx` of `C:\\nodejs\\npx.cmd`. */
export function programName(command: string): string {
  const name = command.slice(Math.max(command.lastIndexOf('/'), command.lastIndexOf('\\')) + 1)
  return name.replace(/\.(?:cmd|exe|bat)$/iu, '')
}
