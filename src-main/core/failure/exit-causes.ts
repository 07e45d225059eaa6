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
    sentence: (program) => `It starts a program that is not on this computer: ${program}.`,
    step: CONFIGURE,
  },
  {
    causeId: 'program-not-runnable',
    isPermanent: true,
    says: [/^\S{0,100}\b(?:ba)?sh: (?:(?:line )?\d{1,6}: )?([^\s:]+): Permission denied$/],
    exitCodes: [126],
    sentence: (program) => `It starts a file that this account may not run: ${program}.`,
    step: CONFIGURE,
  },
  {
    causeId: 'program-crashed',
    signals: ['SIGSEGV', 'SIGABRT', 'SIGBUS', 'SIGILL', 'SIGFPE'],
    sentence: (signal) => `The program itself crashed (${signal}).`,
    step: LOG,
  },
]
