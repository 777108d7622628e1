/** The browser's side of a passkey. The server makes the challenge and verifies the answer. */
import { api } from '../wire/api'

/** Can this browser make passkeys for this page? Not on a page without https, nor on one with a bare address. */
export const canPasskey = (): boolean =>
  isSecureContext &&
  typeof PublicKeyCredential !== 'undefined' &&
  'parseCreationOptionsFromJSON' in PublicKeyCredential &&
  !/^[\d.]+$|:/.test(location.hostname)

const answered = (found: Credential | null): unknown => (found as PublicKeyCredential).toJSON()

/** Makes a passkey, and so makes this device the person's. */
export async function makePasskey(name: string): Promise<void> {
  const { challenge, options } = await api.beginPasskey(name || null)
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    options as unknown as PublicKeyCredentialCreationOptionsJSON,
  )
  await api.finishPasskey(challenge, answered(await navigator.credentials.create({ publicKey })))
}

/** Signs in with a passkey: this device joins the others of its person. */
export async function signIn(): Promise<void> {
  const { challenge, options } = await api.beginSignIn()
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
    options as unknown as PublicKeyCredentialRequestOptionsJSON,
  )
  await api.finishSignIn(challenge, answered(await navigator.credentials.get({ publicKey })))
}
