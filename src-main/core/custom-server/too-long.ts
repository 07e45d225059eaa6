import type {
  CustomServer,
  CustomServerProblem,
  CustomServerText,
} from '../../../src-shared/domain/installation/custom-server'
import { LONGEST_VALUE, TOO_LONG_HINT } from '../process/spawn/longest-value'

/** Arguments and variables that this system can't pass, at their places; secrets that are saved already are not looked at. */
export function tooLongProblems(
  made: CustomServer,
  platform: NodeJS.Platform = process.platform,
): CustomServerProblem[] {
  if (made.kind !== 'command' || platform !== 'linux') return []
  const spots = [
    ...made.args.map((text, index) => ({
      ...{ spot: `args.${String(index)}`, label: `Argument ${String(index + 1)}` },
      name: `argument ${String(index + 1)}`,
      bytes: bytesOf(text),
    })),
    ...made.env.map(({ name, value }, index) => ({
      ...{ spot: `env.${String(index)}.value`, label: `Variable ${name}`, name },
      bytes: Buffer.byteLength(`${name}=`) + bytesOf(value),
    })),
  ]
  return spots
    .filter(({ bytes }) => bytes > LONGEST_VALUE)
    .map(({ spot, label, name, bytes }) => {
      const subject = name.charAt(0).toUpperCase() + name.slice(1)
      const [has, most] = [bytes, LONGEST_VALUE].map((count) => count.toLocaleString('en-US'))
      return {
        ...{ spot, label },
        message: `${subject} has ${has ?? ''} bytes, but the system allows ${most ?? ''}. ${TOO_LONG_HINT}`,
      }
    })
}

function bytesOf(text: CustomServerText): number {
  return text.reduce((sum, piece) => {
    if (piece.kind === 'text') return sum + Buffer.byteLength(piece.text)
    return piece.kind === 'secret' ? sum + Buffer.byteLength(piece.secret) : sum
  }, 0)
}
