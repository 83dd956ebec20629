import { createTheme, type MantineColorsTuple } from '@mantine/core';
import { accents, danger, dark, gray } from './tokens.ts';
import { returnFocus } from './return-focus.ts';

/** `system-ui` comes before the CJK fonts, whose Latin letters and wide apostrophes differ. */
export const fontStack =
  '-apple-system, BlinkMacSystemFont, "Segoe UI Variable Text", "Segoe UI", Inter, Roboto, "Noto Sans", system-ui, "PingFang SC", "Microsoft YaHei", "Apple SD Gothic Neo", "Malgun Gothic", "Noto Sans CJK SC", sans-serif';
/** Korean fonts first: Han characters in a Korean text need their Korean shape. */
export const koreanFontStack =
  '-apple-system, BlinkMacSystemFont, "Segoe UI Variable Text", "Segoe UI", Inter, Roboto, "Noto Sans", system-ui, "Apple SD Gothic Neo", "Malgun Gothic", "Noto Sans CJK KR", "PingFang SC", "Microsoft YaHei", sans-serif';
export const monoStack =
  'ui-monospace, "SF Mono", "Cascadia Mono", "JetBrains Mono", "Roboto Mono", Consolas, monospace';

const tuple = (t: readonly string[]) => t as unknown as MantineColorsTuple;

/** The theme for the browser; its variables are in the stylesheet written by the build. */
export const theme = createTheme({
  primaryColor: 'accent',
  primaryShade: { light: 7, dark: 6 },
  colors: { accent: tuple(accents.verdigris), danger: tuple(danger), gray: tuple(gray), dark: tuple(dark) },
  defaultRadius: '6px',
  fontFamily: fontStack,
  fontFamilyMonospace: monoStack,
  fontSizes: { xs: '12px', sm: '13px', md: '14px', lg: '16px', xl: '18px' },
  lineHeights: { xs: '16px', sm: '20px', md: '20px', lg: '24px', xl: '26px' },
  spacing: { xs: '4px', sm: '8px', md: '12px', lg: '16px', xl: '24px' },
  radius: { xs: '4px', sm: '6px', md: '8px', lg: '10px', xl: '12px' },
  respectReducedMotion: true,
  cursorType: 'pointer',
  components: {
    Modal: {
      defaultProps: {
        ref: returnFocus,
        lockScroll: false,
        centered: true,
        size: 440,
        radius: 12,
        transitionProps: { duration: 140, transition: 'fade' },
        overlayProps: { backgroundOpacity: 0.32 },
      },
    },
    Drawer: {
      defaultProps: {
        ref: returnFocus,
        lockScroll: false,
        position: 'right',
        offset: 8,
        radius: 12,
        transitionProps: { duration: 200 },
        overlayProps: { backgroundOpacity: 0.32 },
      },
    },
    DrawerRoot: {
      defaultProps: {
        ref: returnFocus,
        lockScroll: false,
        position: 'right',
        offset: 8,
        radius: 12,
        transitionProps: { duration: 200 },
      },
    },
    DrawerOverlay: { defaultProps: { backgroundOpacity: 0.32 } },
    Menu: {
      defaultProps: {
        withInitialFocusPlaceholder: false,
        transitionProps: { duration: 140, transition: 'fade' },
        shadow: 'none',
        offset: 4,
        position: 'bottom-start',
        loop: true,
      },
    },
    Popover: {
      defaultProps: {
        transitionProps: { duration: 140, transition: 'fade' },
        shadow: 'none',
        offset: 4,
        position: 'bottom-start',
        trapFocus: true,
        returnFocus: true,
      },
    },
    // Its field has the focus throughout: a click into another field must not be undone.
    Combobox: { defaultProps: { returnFocus: false } },
    Tooltip: {
      defaultProps: {
        openDelay: 300,
        transitionProps: { duration: 80 },
        offset: 6,
        events: { hover: true, focus: true, touch: false },
      },
    },
    Select: { defaultProps: { checkIconPosition: 'right', allowDeselect: false } },
  },
});
