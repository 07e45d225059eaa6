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

/** How many servers install at the same time. */
export function typedInstallSlots(text: string): TypedSetting {
  const installSlots = Number(text)
  return /^\d+$/.test(text) && Settings.shape.installSlots.safeParse(installSlots).success
    ? { change: { installSlots } }
    : { problem: 'Enter a whole number from 1 to 16.' }
}

/** A handshake limit typed in seconds. */
export function typedHandshake(text: string): TypedSetting {
  const handshakeMs = Math.round(Number(text) * 1000)
  return /^\d+(\.\d+)?$/.test(text) && Settings.shape.handshakeMs.safeParse(handshakeMs).success
    ? { change: { handshakeMs } }
    : { problem: 'Enter seconds from 0.5 to 600.' }
}
