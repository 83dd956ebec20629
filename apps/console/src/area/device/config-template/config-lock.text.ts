import { defineTexts } from '../../../kit/text/define.ts';

/** Settings that a template for all devices, or a company above, locks. */
export const configLockTexts = defineTexts({
  'configLock.lock': { en_US: 'Lock', zh_CN: '锁定', ko: '잠금', pt_BR: 'Bloquear' },
  'configLock.lockOne': {
    en_US: 'Lock {{name}}',
    zh_CN: '锁定{{name}}',
    ko: '{{name}} 잠금',
    pt_BR: 'Bloquear {{name}}',
  },
  'configLock.hint': {
    en_US: 'A locked setting wins over every other template, in this company and in all companies below it.',
    zh_CN: '锁定的设置优先于其他所有模板，对本公司及其所有下级公司均有效。',
    ko: '잠긴 설정은 이 회사와 모든 하위 회사에서 다른 모든 템플릿보다 우선합니다.',
    pt_BR:
      'Um ajuste bloqueado vale mais que qualquer outro modelo de configuração, nesta empresa e em todas as empresas abaixo dela.',
  },
  'configLock.locked': { en_US: 'Locked', zh_CN: '已锁定', ko: '잠김', pt_BR: 'Bloqueado' },
  'configLock.byCompany': {
    en_US: '{{company}} locks this setting: devices get {{value}}, whatever is set here.',
    zh_CN: '{{company}} 已锁定此设置：无论此处如何设置，设备均使用“{{value}}”。',
    ko: '{{company}}에서 이 설정을 잠갔습니다. 여기의 값과 관계없이 장치에는 {{value}} 값이 적용됩니다.',
    pt_BR: '{{company}} bloqueia este ajuste: os dispositivos recebem {{value}}, não importa o que se defina aqui.',
  },
  'configLock.byTemplate': {
    en_US: 'The template for all devices locks this setting: devices get {{value}}, whatever is set here.',
    zh_CN: '适用于全部设备的模板已锁定此设置：无论此处如何设置，设备均使用“{{value}}”。',
    ko: '모든 장치용 템플릿에서 이 설정을 잠갔습니다. 여기의 값과 관계없이 장치에는 {{value}} 값이 적용됩니다.',
    pt_BR:
      'O modelo de configuração para todos os dispositivos bloqueia este ajuste: os dispositivos recebem {{value}}, não importa o que se defina aqui.',
  },
  'configLock.elsewhere': {
    en_US: '{{company}} locks {{name}}: {{value}}',
    zh_CN: '{{company}} 已锁定{{name}}：{{value}}',
    ko: '{{company}}에서 {{name}} 설정을 잠갔습니다: {{value}}',
    pt_BR: '{{company}} bloqueia {{name}}: {{value}}',
  },
  'configLock.unchanged': {
    en_US: 'Unchanged: locked by {{company}}',
    zh_CN: '不变：已被 {{company}} 锁定',
    ko: '변경 없음: {{company}}에서 잠금',
    pt_BR: 'Sem mudança: bloqueado por {{company}}',
  },
  'configLock.unchangedOwn': {
    en_US: 'Unchanged: locked by the template for all devices',
    zh_CN: '不变：已被适用于全部设备的模板锁定',
    ko: '변경 없음: 모든 장치용 템플릿에서 잠금',
    pt_BR: 'Sem mudança: bloqueado pelo modelo de configuração para todos os dispositivos',
  },
  'configLock.sourceCompany': {
    en_US: 'Locked by a company above',
    zh_CN: '已被上级公司锁定',
    ko: '상위 회사에서 잠금',
    pt_BR: 'Bloqueado por uma empresa acima',
  },
  'configLock.sourceTemplate': {
    en_US: 'All devices, locked',
    zh_CN: '全部设备，已锁定',
    ko: '모든 장치, 잠김',
    pt_BR: 'Todos os dispositivos, bloqueado',
  },
});
