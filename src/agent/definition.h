// Whether a match looks like the place where its name is defined.
//
//   class Server {            void Server::Stop() {      def main():
//   #define MAX 3             func (s *Server) Stop()    export const max = 3;
//
// A model that looks for a name wants that line most of all. It is a guess by the
// words around the match: it decides whether a line of a long answer is shown or only
// counted, never what is found.
//
// Pure.
#pragma once

#include "forge/search.h"

namespace forge::agent {

bool LooksLikeDefinition(const Event& event);

}  // namespace forge::agent
