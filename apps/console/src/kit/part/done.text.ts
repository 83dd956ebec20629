import { defineTexts } from '../text/define.ts';

/** Confirmations of actions; the name is that of the object. */
export const doneTexts = defineTexts({
  'done.added': {
    en_US: '{{name}} added',
    zh_CN: '已添加 {{name}}',
    ko: '{{name}} 추가됨',
    pt_BR: 'Adicionado: {{name}}',
  },
  'done.creating': {
    en_US: 'Creating {{name}}',
    zh_CN: '正在生成 {{name}}',
    ko: '{{name}} 만드는 중',
    pt_BR: 'Criando: {{name}}',
  },
  'done.allocated': {
    en_US: { one: '{{number}} device assigned to {{name}}', other: '{{number}} devices assigned to {{name}}' },
    zh_CN: '已将 {{number}} 台设备分配给 {{name}}',
    ko: '{{name}}에 장치 {{number}}대 할당됨',
    pt_BR: {
      one: '{{number}} dispositivo atribuído a {{name}}',
      many: '{{number}} de dispositivos atribuídos a {{name}}',
      other: '{{number}} dispositivos atribuídos a {{name}}',
    },
  },
  'done.takenBack': {
    en_US: { one: '{{number}} device taken back', other: '{{number}} devices taken back' },
    zh_CN: '已收回 {{number}} 台设备',
    ko: '장치 {{number}}대 회수됨',
    pt_BR: {
      one: '{{number}} dispositivo recuperado',
      many: '{{number}} de dispositivos recuperados',
      other: '{{number}} dispositivos recuperados',
    },
  },
  'done.accessOpened': {
    en_US: {
      one: 'First access of {{number}} device opened',
      other: 'First access of {{number}} devices opened',
    },
    zh_CN: '已开放 {{number}} 台设备的首次接入',
    ko: '장치 {{number}}대의 첫 접속을 열었습니다',
    pt_BR: {
      one: 'Primeiro acesso de {{number}} dispositivo aberto',
      many: 'Primeiro acesso de {{number}} de dispositivos aberto',
      other: 'Primeiro acesso de {{number}} dispositivos aberto',
    },
  },
  'done.saved': {
    en_US: '{{name}} saved',
    zh_CN: '已保存 {{name}}',
    ko: '{{name}} 저장됨',
    pt_BR: 'Salvo: {{name}}',
  },
  'done.deleted': {
    en_US: '{{name}} deleted',
    zh_CN: '已删除 {{name}}',
    ko: '{{name}} 삭제됨',
    pt_BR: 'Excluído: {{name}}',
  },
  'done.removed': {
    en_US: '{{name}} removed',
    zh_CN: '已移除 {{name}}',
    ko: '{{name}} 제거됨',
    pt_BR: 'Removido: {{name}}',
  },
  'done.disabled': {
    en_US: '{{name}} disabled',
    zh_CN: '已禁用 {{name}}',
    ko: '{{name}} 사용 중지됨',
    pt_BR: 'Desativado: {{name}}',
  },
  'done.enabled': {
    en_US: '{{name}} enabled',
    zh_CN: '已启用 {{name}}',
    ko: '{{name}} 사용 설정됨',
    pt_BR: 'Ativado: {{name}}',
  },
  'done.bound': {
    en_US: '{{name}} bound',
    zh_CN: '已绑定 {{name}}',
    ko: '{{name}} 연결됨',
    pt_BR: 'Vinculado: {{name}}',
  },
  'done.unbound': {
    en_US: '{{name}} unbound',
    zh_CN: '已解除绑定 {{name}}',
    ko: '{{name}} 연결 해제됨',
    pt_BR: 'Desvinculado: {{name}}',
  },
  'done.locked': {
    en_US: '{{name}} locked',
    zh_CN: '已锁定 {{name}}',
    ko: '{{name}} 잠김',
    pt_BR: 'Bloqueado: {{name}}',
  },
  'done.unlocked': {
    en_US: '{{name}} unlocked',
    zh_CN: '已解锁 {{name}}',
    ko: '{{name}} 잠금 해제됨',
    pt_BR: 'Desbloqueado: {{name}}',
  },
  'done.revoked': {
    en_US: '{{name}} revoked',
    zh_CN: '已吊销 {{name}}',
    ko: '{{name}} 폐기됨',
    pt_BR: 'Revogado: {{name}}',
  },
  'done.transferred': {
    en_US: '{{name}} transferred',
    zh_CN: '已转移 {{name}}',
    ko: '{{name}} 이전됨',
    pt_BR: 'Transferido: {{name}}',
  },
  'done.stopped': {
    en_US: '{{name}} stopped',
    zh_CN: '已停止 {{name}}',
    ko: '{{name}} 중지됨',
    pt_BR: 'Parado: {{name}}',
  },
  'done.canceled': {
    en_US: '{{name}} canceled',
    zh_CN: '已取消 {{name}}',
    ko: '{{name}} 취소됨',
    pt_BR: 'Cancelado: {{name}}',
  },
  'done.signedOut': {
    en_US: '{{name}} signed out',
    zh_CN: '已退出 {{name}} 的会话',
    ko: '{{name}} 로그아웃됨',
    pt_BR: 'Sessão encerrada: {{name}}',
  },
  'done.othersSignedOut': {
    en_US: 'All other sessions signed out',
    zh_CN: '已退出所有其他会话',
    ko: '다른 모든 세션 로그아웃됨',
    pt_BR: 'As outras sessões foram encerradas',
  },
  'done.password': {
    en_US: 'New temporary password set for {{name}}',
    zh_CN: '已为 {{name}} 设置新的临时密码',
    ko: '{{name}}의 새 임시 비밀번호 설정됨',
    pt_BR: 'Nova senha temporária definida para {{name}}',
  },
  'done.allRead': {
    en_US: 'All messages marked as read',
    zh_CN: '已将全部消息标为已读',
    ko: '모든 메시지를 읽음으로 표시함',
    pt_BR: 'Todas as mensagens marcadas como lidas',
  },
  'done.assigned': {
    en_US: '{{name}} assigned to {{place}}',
    zh_CN: '已将 {{name}} 分配到 {{place}}',
    ko: '{{name}}을(를) {{place}}에 배정함',
    pt_BR: '{{name}} atribuído a {{place}}',
  },
  'done.withoutSite': {
    en_US: '{{name}} has no site now',
    zh_CN: '{{name}} 现在没有站点',
    ko: '{{name}}에 이제 사이트가 없음',
    pt_BR: '{{name}} agora está sem local',
  },
  'done.devicesAssigned': {
    en_US: { one: '{{number}} device assigned to {{place}}', other: '{{number}} devices assigned to {{place}}' },
    zh_CN: '已将 {{number}} 台设备分配到 {{place}}',
    ko: '장치 {{number}}대를 {{place}}에 배정함',
    pt_BR: {
      one: '{{number}} dispositivo atribuído a {{place}}',
      many: '{{number}} de dispositivos atribuídos a {{place}}',
      other: '{{number}} dispositivos atribuídos a {{place}}',
    },
  },
  'done.devicesWithoutSite': {
    en_US: { one: '{{number}} device has no site now', other: '{{number}} devices have no site now' },
    zh_CN: '{{number}} 台设备现在没有站点',
    ko: '장치 {{number}}대에 이제 사이트가 없음',
    pt_BR: {
      one: '{{number}} dispositivo agora está sem local',
      many: '{{number}} de dispositivos agora estão sem local',
      other: '{{number}} dispositivos agora estão sem local',
    },
  },
  'done.devicesBack': {
    en_US: { one: '{{number}} device moved back', other: '{{number}} devices moved back' },
    zh_CN: '已移回 {{number}} 台设备',
    ko: '장치 {{number}}대를 되돌림',
    pt_BR: {
      one: '{{number}} dispositivo movido de volta',
      many: '{{number}} de dispositivos movidos de volta',
      other: '{{number}} dispositivos movidos de volta',
    },
  },
  'done.usersEnabled': {
    en_US: { one: '{{number}} user enabled', other: '{{number}} users enabled' },
    zh_CN: '已启用 {{number}} 个用户',
    ko: '사용자 {{number}}명 사용 설정됨',
    pt_BR: {
      one: '{{number}} usuário ativado',
      many: '{{number}} de usuários ativados',
      other: '{{number}} usuários ativados',
    },
  },
  'done.usersDisabled': {
    en_US: { one: '{{number}} user disabled', other: '{{number}} users disabled' },
    zh_CN: '已禁用 {{number}} 个用户',
    ko: '사용자 {{number}}명 사용 중지됨',
    pt_BR: {
      one: '{{number}} usuário desativado',
      many: '{{number}} de usuários desativados',
      other: '{{number}} usuários desativados',
    },
  },
  'done.usersUnlocked': {
    en_US: { one: '{{number}} user unlocked', other: '{{number}} users unlocked' },
    zh_CN: '已解锁 {{number}} 个用户',
    ko: '사용자 {{number}}명 잠금 해제됨',
    pt_BR: {
      one: '{{number}} usuário desbloqueado',
      many: '{{number}} de usuários desbloqueados',
      other: '{{number}} usuários desbloqueados',
    },
  },
  'done.messagesDeleted': {
    en_US: { one: '{{number}} message deleted', other: '{{number}} messages deleted' },
    zh_CN: '已删除 {{number}} 条消息',
    ko: '메시지 {{number}}개 삭제됨',
    pt_BR: {
      one: '{{number}} mensagem excluída',
      many: '{{number}} de mensagens excluídas',
      other: '{{number}} mensagens excluídas',
    },
  },
});
