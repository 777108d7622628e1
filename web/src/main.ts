import '@fontsource-variable/fraunces/wght.css'
import '@fontsource-variable/inter/wght.css'
import './tokens.css'
import './base.css'
import { mount } from 'svelte'
import App from './App.svelte'

import.meta.glob('./games/*/colours.css', { eager: true })
mount(App, { target: document.body })
