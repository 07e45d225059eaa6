import type { CauseRow } from './cause-row'

const LOG = { kind: 'viewLog' } as const
const CONFIGURE = { kind: 'configure' } as const

/** What a shell says of a program that it cannot run, and what the end of a server alone tells. */
export const EXIT_CAUSES: readonly CauseRow[] = [
  {
    causeId: 'program-missing',
    isPermanent: true,
    says: [
      /^\S{0,100}\b(?:ba)?sh: (?:(?:line )?\d{1,6}: )?(?:exec: )?([^\s:]+): (?:command )?not found$/,
      /^(?:\S{0,100}\/)?env: [‘'](.{1,200})[’']: No such file or directory$/,
    ],
    exitCodes: [127],
    sentence: (program) =>
      `The command starts a program that isn’t installed: ${program}. Install it, or correct the command.`,
    step: CONFIGURE,
  },
  {
    causeId: 'program-not-runnable',
    isPermanent: true,
    says: [/^\S{0,100}\b(?:ba)?sh: (?:(?:line )?\d{1,6}: )?([^\s:]+): Permission denied$/],
    exitCodes: [126],
    sentence: (program) => `You don’t have permission to run this file: ${program}.`,
    step: CONFIGURE,
  },
  {
    causeId: 'silent-exit',
    phases: ['discover'],
    isSilent: true,
    exitCodes: Array.from({ length: 126 }, (_, code) => code),
    sentence: () =>
      'The server started, then exited and printed nothing. Often a service that it needs, such as a database, can’t be reached. Check its address and keys.',
    step: CONFIGURE,
  },
  {
    causeId: 'program-crashed',
    signals: ['SIGSEGV', 'SIGABRT', 'SIGBUS', 'SIGILL', 'SIGFPE'],
    sentence: (signal) =>
      `The program crashed (${signal}). Check the log, and look for a newer version.`,
    step: LOG,
  },
]
