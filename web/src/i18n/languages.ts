/** The languages of the page. */
export const LANGUAGES = { en: 'English', de: 'Deutsch', nl: 'Nederlands' } as const
export type Language = keyof typeof LANGUAGES
