import { defineTexts } from '../../../kit/text/define.ts';

export const ldapSyncTexts = defineTexts({
  'ldapServer.schedule': {
    en_US: 'Automatic sync',
    zh_CN: '自动同步',
    ko: '자동 동기화',
    pt_BR: 'Sincronização automática',
  },
  'ldapServer.cycle': { en_US: 'Cycle', zh_CN: '周期', ko: '주기', pt_BR: 'Ciclo' },
  'ldapServer.cycle.off': { en_US: 'Off', zh_CN: '关闭', ko: '끔', pt_BR: 'Desligado' },
  'ldapServer.cycle.hour': { en_US: 'Hourly', zh_CN: '每小时', ko: '매시간', pt_BR: 'A cada hora' },
  'ldapServer.cycle.day': { en_US: 'Daily', zh_CN: '每天', ko: '매일', pt_BR: 'Diário' },
  'ldapServer.cycle.week': { en_US: 'Weekly', zh_CN: '每周', ko: '매주', pt_BR: 'Semanal' },
  'ldapServer.weekday': { en_US: 'Day', zh_CN: '星期', ko: '요일', pt_BR: 'Dia' },
  'ldapServer.time': { en_US: 'Time', zh_CN: '时间', ko: '시간', pt_BR: 'Horário' },
  'ldapServer.timeHint': {
    en_US: 'In the time zone {{zone}}, for example 02:00.',
    zh_CN: '按时区 {{zone}}，例如 02:00。',
    ko: '{{zone}} 시간대 기준입니다. 예: 02:00',
    pt_BR: 'No fuso horário {{zone}}, por exemplo 02:00.',
  },
  'ldapServer.timeHourHint': {
    en_US: 'Only the minutes count: 02:15 syncs at a quarter past every hour.',
    zh_CN: '只使用分钟：02:15 表示每小时的 15 分同步。',
    ko: '분만 사용됩니다. 02:15이면 매시 15분에 동기화합니다.',
    pt_BR: 'Só os minutos contam: 02:15 sincroniza aos 15 minutos de cada hora.',
  },
  'ldapServer.timeWrong': {
    en_US: 'Enter a time, for example 02:00.',
    zh_CN: '请输入时间，例如 02:00。',
    ko: '시간을 입력하세요. 예: 02:00',
    pt_BR: 'Informe um horário, por exemplo 02:00.',
  },
  'ldapServer.missing': { en_US: 'To delete', zh_CN: '待删除', ko: '삭제 대기', pt_BR: 'A excluir' },
  'ldapServer.added': { en_US: 'Added', zh_CN: '添加', ko: '추가', pt_BR: 'Adicionadas' },
  'ldapServer.changed': { en_US: 'Changed', zh_CN: '更改', ko: '변경', pt_BR: 'Alteradas' },
  'ldapServer.removed': { en_US: 'Removed', zh_CN: '移除', ko: '제거', pt_BR: 'Removidas' },
  'ldapServer.lastSync': { en_US: 'Last sync', zh_CN: '上次同步', ko: '마지막 동기화', pt_BR: 'Última sincronização' },
  'ldapServer.sync.none': {
    en_US: 'Not synced yet',
    zh_CN: '尚未同步',
    ko: '아직 동기화 안 됨',
    pt_BR: 'Nunca sincronizado',
  },
  'ldapServer.sync.wait': { en_US: 'Waiting', zh_CN: '等待中', ko: '대기 중', pt_BR: 'Aguardando' },
  'ldapServer.sync.process': { en_US: 'Syncing', zh_CN: '同步中', ko: '동기화 중', pt_BR: 'Sincronizando' },
  'ldapServer.sync.success': { en_US: 'Synced', zh_CN: '已同步', ko: '동기화됨', pt_BR: 'Sincronizado' },
  'ldapServer.sync.fail': { en_US: 'Failed', zh_CN: '失败', ko: '실패', pt_BR: 'Falhou' },
  'ldapServer.syncedAt': { en_US: 'Synced', zh_CN: '同步时间', ko: '동기화 시각', pt_BR: 'Sincronizado em' },
  'ldapServer.lastResult': { en_US: 'Result', zh_CN: '结果', ko: '결과', pt_BR: 'Resultado' },
  'ldapServer.reading': {
    en_US: { one: '{{number}} entry read so far', other: '{{number}} entries read so far' },
    zh_CN: '已读取 {{number}} 个条目',
    ko: '지금까지 항목 {{number}}개 읽음',
    pt_BR: {
      one: '{{number}} entrada lida até agora',
      many: '{{number}} entradas lidas até agora',
      other: '{{number}} entradas lidas até agora',
    },
  },
  'ldapServer.result': {
    en_US: {
      one: '{{read}} entry read: {{added}} added, {{changed}} changed, {{removed}} removed.',
      other: '{{read}} entries read: {{added}} added, {{changed}} changed, {{removed}} removed.',
    },
    zh_CN: '已读取 {{read}} 个条目：添加 {{added}}，更改 {{changed}}，移除 {{removed}}。',
    ko: '항목 {{read}}개 읽음: 추가 {{added}}, 변경 {{changed}}, 제거 {{removed}}.',
    pt_BR: {
      one: '{{read}} entrada lida: {{added}} adicionadas, {{changed}} alteradas, {{removed}} removidas.',
      many: '{{read}} entradas lidas: {{added}} adicionadas, {{changed}} alteradas, {{removed}} removidas.',
      other: '{{read}} entradas lidas: {{added}} adicionadas, {{changed}} alteradas, {{removed}} removidas.',
    },
  },
  'ldapServer.keptBack': {
    en_US: {
      one: '{{number}} account is no longer in the directory and was kept, because so many at once may be a mistake.',
      other:
        '{{number}} accounts are no longer in the directory and were kept, because so many at once may be a mistake.',
    },
    zh_CN: '有 {{number}} 个账号已不在目录中，因一次减少过多可能有误而暂时保留。',
    ko: '계정 {{number}}개가 디렉터리에 더 이상 없지만, 한 번에 너무 많아 실수일 수 있으므로 보류했습니다.',
    pt_BR: {
      one: '{{number}} conta não está mais no diretório e foi mantida, porque tantas de uma vez podem ser um engano.',
      many: '{{number}} contas não estão mais no diretório e foram mantidas, porque tantas de uma vez podem ser um engano.',
      other:
        '{{number}} contas não estão mais no diretório e foram mantidas, porque tantas de uma vez podem ser um engano.',
    },
  },
  'ldapServer.nextSyncAt': { en_US: 'Next sync', zh_CN: '下次同步', ko: '다음 동기화', pt_BR: 'Próxima sincronização' },
  'ldapServer.sync': { en_US: 'Sync now', zh_CN: '立即同步', ko: '지금 동기화', pt_BR: 'Sincronizar agora' },
  'ldapServer.syncOne': {
    en_US: 'Sync {{name}}',
    zh_CN: '同步 {{name}}',
    ko: '{{name}} 동기화',
    pt_BR: 'Sincronizar {{name}}',
  },
  'ldapServer.syncText': {
    en_US: 'Reads all entries now and updates the accounts. You can leave this page; progress is shown in the list.',
    zh_CN: '立即读取所有条目并更新账号。您可以离开此页面，进度会显示在列表中。',
    ko: '지금 모든 항목을 읽어 계정을 업데이트합니다. 이 페이지를 벗어나도 되며, 진행 상황은 목록에 표시됩니다.',
    pt_BR:
      'Lê todas as entradas agora e atualiza as contas. Você pode sair desta página; o progresso aparece na lista.',
  },
  'ldapServer.syncBegun': {
    en_US: 'Sync of {{name}} started',
    zh_CN: '已开始同步 {{name}}',
    ko: '{{name}} 동기화가 시작됨',
    pt_BR: 'Sincronização de {{name}} iniciada',
  },
  'ldapServer.deleteMissing': {
    en_US: 'Delete kept accounts',
    zh_CN: '删除暂留的账号',
    ko: '보류된 계정 삭제',
    pt_BR: 'Excluir contas retidas',
  },
  'ldapServer.deleteMissingOf': {
    en_US: { one: 'Delete {{number}} kept account of {{name}}', other: 'Delete {{number}} kept accounts of {{name}}' },
    zh_CN: '删除 {{name}} 的 {{number}} 个暂留账号',
    ko: '{{name}}의 보류된 계정 {{number}}개 삭제',
    pt_BR: {
      one: 'Excluir {{number}} conta retida de {{name}}',
      many: 'Excluir {{number}} contas retidas de {{name}}',
      other: 'Excluir {{number}} contas retidas de {{name}}',
    },
  },
  'ldapServer.deleteMissingText': {
    en_US:
      'The directory no longer has them. They also leave the phonebooks. If they return to the directory, the next sync adds them again.',
    zh_CN: '目录中已没有这些账号，它们也会从电话簿中消失。如果它们重新出现在目录中，下次同步会再次添加。',
    ko: '디렉터리에 더 이상 없는 계정입니다. 전화번호부에서도 사라집니다. 디렉터리에 다시 나타나면 다음 동기화 때 추가됩니다.',
    pt_BR:
      'O diretório não as tem mais. Elas também saem das agendas. Se voltarem ao diretório, a próxima sincronização as adiciona de novo.',
  },
  'ldapServer.deleteMissingButton': {
    en_US: { one: 'Delete {{number}} account', other: 'Delete {{number}} accounts' },
    zh_CN: '删除 {{number}} 个账号',
    ko: '계정 {{number}}개 삭제',
    pt_BR: { one: 'Excluir {{number}} conta', many: 'Excluir {{number}} contas', other: 'Excluir {{number}} contas' },
  },
  'ldapServer.missingDeleted': {
    en_US: { one: '{{number}} account of {{name}} deleted', other: '{{number}} accounts of {{name}} deleted' },
    zh_CN: '已删除 {{name}} 的 {{number}} 个账号',
    ko: '{{name}}의 계정 {{number}}개 삭제됨',
    pt_BR: {
      one: '{{number}} conta de {{name}} excluída',
      many: '{{number}} contas de {{name}} excluídas',
      other: '{{number}} contas de {{name}} excluídas',
    },
  },
  'right.syncLdapServer': {
    en_US: 'Sync LDAP servers',
    zh_CN: '同步 LDAP 服务器',
    ko: 'LDAP 서버 동기화',
    pt_BR: 'Sincronizar servidores LDAP',
  },
  'audit.ldapServer.sync': {
    en_US: 'Start LDAP sync',
    zh_CN: '开始 LDAP 同步',
    ko: 'LDAP 동기화 시작',
    pt_BR: 'Iniciar sincronização LDAP',
  },
  'audit.ldapServer.synced': { en_US: 'LDAP sync', zh_CN: 'LDAP 同步', ko: 'LDAP 동기화', pt_BR: 'Sincronização LDAP' },
  'audit.ldapServer.deleteMissing': {
    en_US: 'Delete kept LDAP accounts',
    zh_CN: '删除暂留的 LDAP 账号',
    ko: '보류된 LDAP 계정 삭제',
    pt_BR: 'Excluir contas LDAP retidas',
  },
});
