# SPDX-License-Identifier: Apache-2.0
# cmake -DFOLDER=profiles -DFILES=a/x.json|b/y.json -DOUTPUT=embedded_profiles.cpp -P embed.cmake
# Writes the array behind model/io/profile_library.hpp. Texts are raw string literals.
string(REPLACE "|" ";" files "${FILES}")

set(kind_of_accelerators accelerator)
set(kind_of_clusters cluster)
set(kind_of_workloads model)
set(kind_of_constants constants)
set(kind_of_networks network)

# By kind, in the order of the enumeration.
set(entries "")
foreach(folder accelerators clusters workloads constants networks)
  set(of_folder ${files})
  list(FILTER of_folder INCLUDE REGEX "^${folder}/")
  list(SORT of_folder)
  foreach(file ${of_folder})
    cmake_path(GET file STEM LAST_ONLY id)
    file(READ "${FOLDER}/${file}" text)
    string(FIND "${text}" ")json\"" end)
    if(NOT end EQUAL -1)
      message(FATAL_ERROR "${file} holds the end of a raw string literal")
    endif()
    string(APPEND entries
           "    {ProfileKind::${kind_of_${folder}}, \"${id}\", \"profiles/${file}\", R\"json(${text})json\"},\n")
  endforeach()
endforeach()

file(WRITE "${OUTPUT}" "// Written by profiles/embed.cmake from the files of profiles/.
// SPDX-License-Identifier: Apache-2.0
#include \"model/io/profile_library.hpp\"

namespace trainwright::model {
namespace {

constexpr Profile kProfiles[] = {
${entries}};

}  // namespace

std::span<const Profile> profiles() { return kProfiles; }

}  // namespace trainwright::model
")
