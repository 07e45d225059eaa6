import { Settings } from '../../../src-shared/domain/settings'

/** The settings of a fresh profile. */
export const STANDARD_SETTINGS = Settings.parse({})

/** What a typed text means for a setting: the change to save, or why it is none. */
export type TypedSetting = { readonly change: Partial<Settings> } | { readonly problem: string }

/** A registry address: http or https, without a slash at its end. */
export function typedRegistryUrl(text: string): TypedSetting {
  const registryUrl = text.trim().replace(/\/+$/, '')
  return Settings.shape.registryUrl.safeParse(registryUrl).success
    ? { change: { registryUrl } }
    : { problem: 'Enter an address that starts with https:// or http://.' }
}

type WholeKey = 'installSlots' | 'spawnSlots' | 'maxMessageMb' | 'logFileMb' | 'logDays'
type SecondsKey = 'installMs' | 'handshakeMs' | 'requestMs'

/** Reads a setting that is a whole number. */
export function typedWhole(key: WholeKey): (text: string) => TypedSetting {
  const rule = Settings.shape[key].unwrap()
  return (text) =>
    /^\d+$/.test(text) && rule.safeParse(Number(text)).success
      ? { change: { [key]: Number(text) } }
      : { problem: `Enter a whole number from ${inRange(rule, 1)}.` }
}

/** Reads a limit that is typed in seconds and kept in ms. */
export function typedSeconds(key: SecondsKey): (text: string) => TypedSetting {
  const rule = Settings.shape[key].unwrap()
  return (text) => {
    const ms = Math.round(Number(text) * 1000)
    return /^\d+(\.\d+)?$/.test(text) && rule.safeParse(ms).success
      ? { change: { [key]: ms } }
      : { problem: `Enter seconds from ${inRange(rule, 1000)}.` }
  }
}

function inRange(
  rule: { readonly minValue: number | null; readonly maxValue: number | null },
  unit: number,
): string {
  const format = (value: number | null): string => String((value ?? 0) / unit)
  return `${format(rule.minValue)} to ${format(rule.maxValue)}`
}
